import { parseJson } from './json.ts';

/** Blanks, an XML declaration, comments, a document type. */
const prologue = /[\s\ufeff]+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^>]*>/iy;
const rootElement = /<(?:[\w.-]{1,64}:)?([a-z][\w-]{0,63})/iy;
/** Read by video players, and that of audio before VAST. */
const streamRoots = new Map([
  ['vast', 'VAST'],
  ['videoadservingtemplate', 'VAST'],
  ['vmap', 'VMAP'],
  ['daast', 'DAAST'],
]);

const url = /^(?:https?:)?\/\/\S+$/i;
/** Markup or JSON still encoded for a URL, HTML or a script. */
const forUrl = /^(?:%(?:0[9ad]|20|ef%bb%bf)|\+)*%(?:3c|7b|5b)/i;
const forText = /^(?:&(?:amp;)?(?:lt|#0*60|#x0*3c);|\\+(?:u003c|x3c|074))/i;
/** A whole text, or its first line if it is wrapped. */
const base64 = /^[\w+/-]{16,}={0,2}(?=\s|$)/;
const base64CharactersMax = 24;
/** Even if cut off. */
const json = /^(?:\{\s*"[^"]{0,64}"\s*:|\[\s*\{\s*")/;
/** What scripts begin with, and no sentence does. */
const script =
  /^(?:["']use strict["'])?[;\s]*(?:[(!+;~-]*(?:async\s+)?function\b[\s\w$]*\(|\(?\([\w$,\s]*\)\s*=>|(?:var|let|const)\s+[\w$]+\s*=|(?:document|window|self|top|parent)(?:\.[\w$]+)+\s*[=(])/;

function isBase64(text: string): boolean {
  const [start = ''] = base64.exec(text) ?? [];
  const decoded = Buffer.from(start.slice(0, base64CharactersMax), 'base64').toString('latin1');
  return /^\s*(?:<[a-z!?/]|\{\s*")/i.test(decoded);
}

/** Where the root element, or other content, begins. */
function contentStart(markup: string): number {
  let at = 0;
  for (;;) {
    prologue.lastIndex = at;
    const [found] = prologue.exec(markup) ?? [];
    if (found === undefined) return at;
    at += found.length;
  }
}

/**
 * By its first characters, whatever it claims to be: `HTML`, `VAST`, `VMAP`, `DAAST`, `JSON`, `a URL`, a script,
 * encoded markup, or `text`.
 */
export function markupKind(markup: string): string {
  const at = contentStart(markup);
  rootElement.lastIndex = at;
  const root = rootElement.exec(markup)?.[1]?.toLowerCase();
  if (root !== undefined) return streamRoots.get(root) ?? 'HTML';
  const text = markup.slice(at).trimEnd();
  if (json.test(text) || (/^[[{"]/.test(text) && parseJson(text) !== undefined)) return 'JSON';
  if (url.test(text)) return 'a URL';
  if (forUrl.test(text)) return 'markup that is encoded for a URL';
  if (forText.test(text)) return 'markup that is escaped';
  if (script.test(text)) return 'a script without its element';
  return isBase64(text) ? 'markup in Base64' : 'text';
}
