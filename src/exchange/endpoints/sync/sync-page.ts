import { htmlText } from '../../../reference/html-text.ts';

/** Partners' pages and pixels; nothing of our own runs. */
export const syncPagePolicy =
  "default-src 'none'; img-src https: http:; frame-src https: http:; base-uri 'none'";

interface Load {
  readonly url: string;
  readonly type: 'iframe' | 'redirect';
}

const waitSeconds = 3;

/** A partner's page can neither lead the visitor away nor open anything. */
const elementOf = ({ url, type }: Load): string =>
  type === 'redirect'
    ? `<img alt="" src="${htmlText(url)}">`
    : `<iframe title="User sync" sandbox="allow-scripts allow-same-origin" src="${htmlText(url)}"></iframe>`;

/** Loads partners' syncs, and then goes on, if told where. */
export function syncPage(loads: readonly Load[], next: string | undefined): string {
  const refresh =
    next === undefined ? '' : `<meta http-equiv="refresh" content="${waitSeconds};url=${htmlText(next)}">`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>User sync</title>${refresh}</head>
<body hidden>
${loads.map(elementOf).join('\n')}
</body></html>
`;
}
