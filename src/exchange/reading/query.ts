import { unescape as decode } from 'node:querystring';
import { isNotKnown, isUnfilled } from '../../protocols/unfilled.ts';

/** Query of a zone or feed URL, the first value of each name; unfilled macros (`{ip}`, `[IP]`) count as absent. */
export interface ZoneQuery {
  /** `""` if absent; cut after `charactersMax`, by default 8,192. */
  text(name: string, charactersMax?: number): string;
  /** Like `text`, but `""` for what means "unknown" (`-1`, `-2`, and `0` unless it is a value). */
  known(name: string, isZeroValue?: boolean): string;
  /** From `min` (by default 0) to `max`, as `7` or `7.0`; else undefined. */
  integer(name: string, max: number, min?: number): number | undefined;
  /** From 0 to below 1e9, as `0.25` or `5e-7`; else undefined. */
  amount(name: string): number | undefined;
  /** Parameters asked for so far that count as absent because of their values. */
  readonly unfilled: readonly string[];
}

const valueCharactersMax = 8192;
const queryCharactersMax = 65_536;
/** Left before a name if a URL was copied from HTML with its `&amp;`. */
const fromHtml = /^(?:amp;)+/i;
const amountMax = 1e9;
/** JSON's numbers (RFC 8259, section 6), with leading zeros too. */
const jsonNumber = /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i;

/** NaN if it is no number; infinite if the exponent is too great. */
function numberIn(text: string): number {
  return text !== '' && jsonNumber.test(text) ? Number(text) : Number.NaN;
}

function decoded(written: string): string {
  const text = written.includes('+') ? written.replaceAll('+', ' ') : written;
  return text.includes('%') ? decode(text) : text;
}

/** Also as written: in `%%DEVICE%%` the first letters would decode to a byte. */
const isMacro = (written: string, value: string): boolean =>
  isUnfilled(value) || (written !== value && isUnfilled(written));

/** Names and values still encoded (URL standard). Lists, because V8 would intern each name of an object. */
function pairsOf(query: string) {
  const [names, values]: [string[], string[]] = [[], []];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const plain = decoded(name);
    names.push(plain.includes(';') ? plain.replace(fromHtml, '') : plain);
    values.push(equals === -1 ? '' : pair.slice(equals + 1));
  }
  return { names, values };
}

/** Never throws: invalid UTF-8 becomes U+FFFD. */
export function zoneQuery(url: string): ZoneQuery {
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start + 1, start + queryCharactersMax);
  const { names, values } = pairsOf(query);
  const unfilled: string[] = [];
  const absent = (name: string) => {
    if (!unfilled.includes(name)) unfilled.push(name);
    return '';
  };
  const text = (name: string, charactersMax = valueCharactersMax) => {
    let at = names.indexOf(name);
    if (at === -1) return '';
    // Whoever cannot fill a macro may add a value behind it.
    for (; at !== -1; at = names.indexOf(name, at + 1)) {
      const written = values[at] ?? '';
      const value = decoded(written);
      if (!isMacro(written, value))
        return value.length > charactersMax ? value.slice(0, charactersMax) : value;
    }
    return absent(name);
  };
  return {
    text,
    unfilled,
    known(name, isZeroValue = false) {
      const value = text(name);
      return isNotKnown(value) && !(isZeroValue && value === '0') ? absent(name) : value;
    },
    integer(name, max, min = 0) {
      const value = text(name);
      const number = numberIn(value);
      if (number >= min && number <= max && Number.isInteger(number)) return number;
      if (isNotKnown(value)) absent(name);
      return undefined;
    },
    amount(name) {
      const value = text(name);
      if (isNotKnown(value) && value !== '0') absent(name);
      const number = value.startsWith('-') ? Number.NaN : numberIn(value);
      return number < amountMax ? number : undefined;
    },
  };
}
