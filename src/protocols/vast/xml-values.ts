import { type Template, wrapped } from './template.ts';

/** XML 1.0 §2.2: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Whether there may be such characters: several times faster than replacing. */
const suspicious = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/;

const references: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

const referenceOf = (character: string) => references.get(character) ?? character;

function withoutForbidden(value: string): string {
  return suspicious.test(value) ? value.replace(forbidden, '\ufffd') : value;
}

export function xmlText(value: string): string {
  return withoutForbidden(value).replace(/[&<>\r]/g, referenceOf);
}

/** For single or double quotes. */
export function xmlAttribute(value: string): string {
  return withoutForbidden(value).replace(/[&<>"'\t\n\r]/g, referenceOf);
}

function cdataText(value: string): string {
  const text = withoutForbidden(value);
  return text.includes(']]>') ? text.replaceAll(']]>', ']]]]><![CDATA[>') : text;
}

/** Players expect URLs in CDATA; a `]]>` is split into two sections. */
export function xmlCdata(value: string): string {
  return `<![CDATA[${cdataText(value)}]]>`;
}

/** Cached, because the same templates serve all answers. */
const sections = new WeakMap<Template, Template>();

/** Its token needs no escaping. */
export function templateCdata(value: string | Template): Template {
  if (typeof value === 'string') return [xmlCdata(value)];
  const known = sections.get(value);
  if (known !== undefined) return known;
  const section = wrapped('<![CDATA[', value.map(cdataText), ']]>');
  sections.set(value, section);
  return section;
}
