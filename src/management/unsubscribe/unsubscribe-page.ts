import { randomBytes } from 'node:crypto';
import { htmlText } from '../../reference/html-text.ts';
import type { Answer } from '../context.ts';

/** Nothing runs or loads; its form leads to where it came from. */
const contentPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

interface PageText {
  readonly status?: number;
  readonly title: string;
  readonly lines: readonly string[];
  /** Of a button that POSTs to the same address. */
  readonly button?: string;
}

export function unsubscribePage({ status = 200, title, lines, button }: PageText): Answer {
  const nonce = randomBytes(16).toString('base64url');
  const form =
    button === undefined
      ? ''
      : `<form method="post"><button name="List-Unsubscribe" value="One-Click">${htmlText(button)}</button></form>\n`;
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${htmlText(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">body { max-width: 36rem; margin: 15vh auto 2rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
button { font: inherit; padding: .5rem 1rem; }</style></head>
<body><main><h1>${htmlText(title)}</h1>
${lines.map((line) => `<p><bdi>${htmlText(line)}</bdi></p>\n`).join('')}${form}</main></body>
</html>
`;
  return {
    status,
    body,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': contentPolicy(nonce) },
  };
}
