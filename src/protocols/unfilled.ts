import { isIPv6 } from 'node:net';
import { unescape as decode } from 'node:querystring';

const charactersMax = 512;

/**
 * Macros as ad servers, players and templates write them, each as a whole value. Where a form's signs also stand in
 * plain text (`#`, `@`, `$`, `%`, `_`), only a word counts between them.
 */
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

/** Values that stand in brackets, too: GUIDs as Windows writes them, and JSON. */
const bracketed = /^(?:\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}|[[{]\s*"|\[\s*\d+\s*[\],])/i;

/** What templates write before and behind a macro for a host or a URL. */
const scheme = /^(?:https?:)?\/\/(?=[[{$#@%_<*])/i;
const path = /\/$/;
/** With what a macro begins, plain or encoded for a URL. */
const beginning = /^\s*(?:(?:https?(?::|%(?:25)?3a))?(?:\/\/|(?:%(?:25)?2f){2}))?[[{$#@%_<*]/i;
const encodedTwice = 2;

/** An address of IPv6 stands in brackets, too. */
const isMacro = (text: string) =>
  macro.test(text) && !bracketed.test(text) && !(text.startsWith('[') && isIPv6(text.slice(1, -1)));

/**
 * Whether a whole value is a macro that nobody filled, plain or encoded for a URL, be it with `https://` before it. A
 * value with a macro in it is not.
 */
export function isUnfilled(value: string): boolean {
  if (value.length > charactersMax) return false;
  if (!beginning.test(value)) return false;
  let text = value.trim();
  for (let times = 0; !isMacro(text.replace(scheme, '').replace(path, '')); times += 1) {
    if (times === encodedTwice || !text.includes('%')) return false;
    text = decode(text).trim();
  }
  return true;
}

/**
 * What VAST's macros (VAST 4.3, "Macros"), players and scripts write for what they do not know, in lower case. `none` and
 * `na` are not among them: they are names.
 */
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
/** What systems give in place of an advertising ID that the viewer withholds (IAB, "Guidelines for Identifiers"). */
const nil = /^\{?0{8}-?0{4}-?0{4}-?0{4}-?0{12}\}?$/;

const isNotKnown = (value: string) =>
  value.length <= notKnownCharactersMax ? notKnown.has(value.toLowerCase()) : nil.test(value);

/** Whether a whole value says nothing: an unfilled macro, a sign for what is not known, or an ID of zeros alone. */
export const saysNothing = (value: string): boolean => isNotKnown(value) || isUnfilled(value);
