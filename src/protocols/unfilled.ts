import { isIPv6 } from 'node:net';
import { unescape as decode } from 'node:querystring';

const charactersMax = 512;

/** If a form's signs also occur in plain text (`#`, `@`, `$`, `%`, `_`), only a word counts between them. */
const forms = [
  String.raw`\[[^[\]]+\]|\[\[[^[\]]+\]\]`,
  String.raw`\{[^{}\s]+\}|\{\{[^{}]+\}\}|\{\{\{[^{}]+\}\}\}|\{%[^{}]+%\}`,
  String.raw`[$#@%]\{[^{}]+\}|[$#@%]\{\{[^{}]+\}\}|\$\([^()]+\)|\$\[[^[\]]+\]`,
  String.raw`%%[^%\s][^%]*%%|%(?![\da-f]{2}%)[a-z_][\w.:-]+%|%e\w+!|%p\w+=!;`,
  String.raw`__[a-z\d]+(?:[_.:-][a-z\d]+)*__`,
  String.raw`##?[a-z][\w.:-]*##?|@@?[a-z][\w.:-]*@@?|\$\$?[a-z][\w.:-]*\$\$?`,
  String.raw`<[a-z%?=][^<>]*>|\*\|\w+\|\*`,
];
const macro = new RegExp(`^(?:${forms.join('|')})$`, 'i');

/** No macros: GUIDs as Windows writes them, and JSON. */
const bracketed = /^(?:\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}|[[{]\s*"|\[\s*\d+\s*[\],])/i;

/** Written by templates around a macro for a host or URL. */
const scheme = /^(?:https?:)?\/\/(?=[[{$#@%_<*])/i;
const path = /\/$/;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toLowerCase());
/** By character code; others than ASCII may be white space. */
const beginsLikeMacro: readonly boolean[] = ascii.map((character) => /[\s[{$#@%_<*h/]/.test(character));
/** Plain or encoded for a URL. */
const beginning = /^\s*(?:(?:https?(?::|%(?:25)?3a))?(?:\/\/|(?:%(?:25)?2f){2}))?[[{$#@%_<*]/i;
const encodedTwice = 2;

/** An IPv6 address has brackets, too. */
const isMacro = (text: string) =>
  macro.test(text) && !bracketed.test(text) && !(text.startsWith('[') && isIPv6(text.slice(1, -1)));

/** Whether the whole value is an unfilled macro, plain or URL-encoded, even after `https://`. */
export function isUnfilled(value: string): boolean {
  // Asked first, since most values do not.
  if (value === '' || beginsLikeMacro[value.charCodeAt(0)] === false) return false;
  if (value.length > charactersMax || !beginning.test(value)) return false;
  let text = value.trim();
  for (let times = 0; !isMacro(text.replace(scheme, '').replace(path, '')); times += 1) {
    if (times === encodedTwice || !text.includes('%')) return false;
    text = decode(text).trim();
  }
  return true;
}

/** As VAST's macros (VAST 4.3, "Macros"), players and scripts write it. Not `none` and `na`, which are names. */
const notKnown: ReadonlySet<string> = new Set([
  '-1',
  '-2',
  '0',
  'null',
  '(null)',
  'undefined',
  '(undefined)',
  'nil',
  'nan',
  'n/a',
  'unknown',
  '(unknown)',
  'not set',
  '(not set)',
  'not available',
]);
const notKnownCharactersMax = 16;
/** Sent in place of a withheld advertising ID (IAB, "Guidelines for Identifiers"). */
const nil = /^\{?0{8}-?0{4}-?0{4}-?0{4}-?0{12}\}?$/;

/** A sign for "unknown", or an ID of zeros. */
export const isNotKnown = (value: string) =>
  value.length <= notKnownCharactersMax ? notKnown.has(value.toLowerCase()) : nil.test(value);

const beginnings: readonly boolean[] = ascii.map(
  (character, code) =>
    beginsLikeMacro[code] === true || [...notKnown].some((word) => word.startsWith(character)),
);

/** Asked first, since most values do not; lists and objects may. */
export function maySayNothing(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && (beginnings[value.charCodeAt(0)] ?? true);
  return typeof value === 'object' || (typeof value === 'number' && value < 0);
}

/** An unfilled macro, a sign for "unknown", or an ID of zeros. */
export const saysNothing = (value: string): boolean => isNotKnown(value) || isUnfilled(value);
