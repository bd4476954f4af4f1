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
  String.raw`[$#@%]\{[^{}]+\}|\$\([^()]+\)|\$\[[^[\]]+\]`,
  String.raw`%%[^%\s][^%]*%%|%[a-z_][\w.:-]{2,}%|%e\w+!|%p\w+=!;`,
  String.raw`__[a-z\d]+(?:[_.:-][a-z\d]+)*__`,
  String.raw`##?[a-z][\w.:-]*##?|@@?[a-z][\w.:-]*@@?|\$\$?[a-z][\w.:-]*\$\$?`,
  String.raw`<[a-z%?=][^<>]*>|\*\|\w+\|\*`,
];
const macro = new RegExp(`^(?:${forms.join('|')})$`, 'i');

/** With what a macro begins, plain or encoded for a URL. */
const beginnings: ReadonlySet<string> = new Set('[{$#@%_<* \t');
const encodedTwice = 2;

/** An address of IPv6 stands in brackets, too. */
const isMacro = (text: string) => macro.test(text) && !(text.startsWith('[') && isIPv6(text.slice(1, -1)));

/** Whether a whole value is a macro that nobody filled, plain or encoded for a URL. A value with a macro in it is not. */
export function isUnfilled(value: string): boolean {
  if (!beginnings.has(value.charAt(0)) || value.length > charactersMax) return false;
  let text = value.trim();
  for (let times = 0; !isMacro(text); times += 1) {
    if (times === encodedTwice || !text.includes('%')) return false;
    text = decode(text).trim();
  }
  return true;
}

/** What VAST's macros (VAST 4.3, "Macros") and scripts write for what they do not know. */
const notKnown: ReadonlySet<string> = new Set(['-1', '-2', '0', 'null', 'undefined']);

/** Whether a whole value says nothing: an unfilled macro, or a sign for what is not known. */
export const saysNothing = (value: string): boolean => notKnown.has(value) || isUnfilled(value);
