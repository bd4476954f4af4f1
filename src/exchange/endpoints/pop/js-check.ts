import { createHash } from 'node:crypto';
import { xmlAttribute } from '../../../protocols/vast/xml-values.ts';
import { textHash } from '../../trackers/text-hash.ts';

/** From a page that ran for this token and found no sign of automation. */
export function humanAnswer(token: string): string {
  return `${textHash(token)}-ok`;
}

/** From a browser without JavaScript, by the page's `refresh`. */
const noScriptAnswer = 'none';

/** Hashes the token (FNV-1a, as `textHash`) to prove that it ran, looks for automation, and goes on to `next`. */
const script = `(() => {
  const { token, next } = document.documentElement.dataset;
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i += 1) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  const isDriven = navigator.webdriver === true || /HeadlessChrome|PhantomJS/.test(navigator.userAgent);
  const hasNoScreen = !(screen.width > 0 && screen.height > 0);
  const hasNoLanguage = !navigator.language;
  const answer = isDriven ? 'driven' : hasNoScreen ? 'no-screen' : hasNoLanguage ? 'no-language' : 'ok';
  location.replace(next + (next.includes('?') ? '&' : '?') + 'js=' + (hash >>> 0 || 1) + '-' + answer);
})();`;

const scriptHash = createHash('sha256').update(script).digest('base64');

export const jsCheckPolicy = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'`;

/** The page sends no referer. */
export const jsCheckHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': jsCheckPolicy,
  'referrer-policy': 'no-referrer',
} as const;

/** `next` is the URL of the token's click. */
export function jsCheckPage(token: string, next: string): string {
  const url = xmlAttribute(next);
  const unscripted = xmlAttribute(`${next}${next.includes('?') ? '&' : '?'}js=${noScriptAnswer}`);
  return `<!doctype html>
<html lang="en" data-token="${xmlAttribute(token)}" data-next="${url}">
<head><meta charset="utf-8"><title>…</title>
<noscript><meta http-equiv="refresh" content="0;url=${unscripted}"></noscript></head>
<body><script>${script}</script></body></html>
`;
}
