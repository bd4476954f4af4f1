import { htmlText } from './html-text.ts';

const style = `:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 12vh auto 2rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; padding: .5rem 1rem; }`;

/** Nothing runs or loads; its form leads to where it came from. `framedBy`: who may embed it; `sha256`: in base64. */
export const plainPagePolicy = (framedBy: "'none'" | '*', sha256: (text: string) => string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style)}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
  ].join('; ');

export interface PlainPage {
  readonly title: string;
  readonly lines: readonly string[];
  /** They POST to the same address. */
  readonly buttons?: readonly { readonly name: string; readonly value: string; readonly text: string }[];
}

/** For people who have no login here. */
export function plainPage({ title, lines, buttons = [] }: PlainPage): string {
  const shown = buttons.map(
    ({ name, value, text }) =>
      `<button name="${htmlText(name)}" value="${htmlText(value)}">${htmlText(text)}</button>\n`,
  );
  const form = shown.length === 0 ? '' : `<form method="post">${shown.join('')}</form>\n`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${htmlText(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style></head>
<body><main><h1>${htmlText(title)}</h1>
${lines.map((line) => `<p><bdi>${htmlText(line)}</bdi></p>\n`).join('')}${form}</main></body>
</html>
`;
}
