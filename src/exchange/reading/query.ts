import { unescape as decode } from 'node:querystring';
import { isUnfilled, saysNothing } from '../../protocols/unfilled.ts';

/** Query parameters of a zone or feed URL; a macro that was not filled (`{ip}`, `[IP]`) counts as absent. */
export interface ZoneQuery {
  /** A text, `""` if absent; cut after `charactersMax`, by default 8,192. */
  text(name: string, charactersMax?: number): string;
  /** A text as `text` has it; `""` also for what stands for "not known" (`-1`, `-2`, and `0` unless it is a value). */
  known(name: string, isZeroValue?: boolean): string;
  /** A whole number from `min` (by default 0) to `max`, as `7` or `7.0`; undefined if it is absent or anything else. */
  integer(name: string, max: number, min?: number): number | undefined;
  /** A number from 0 to below 1e9, as `0.25` or `5e-7`; undefined if it is absent or anything else. */
  amount(name: string): number | undefined;
  /** Parameters that were asked for so far and count as absent because of what stands there, each once. */
  readonly unfilled: readonly string[];
}

const valueCharactersMax = 8192;
const queryCharactersMax = 65_536;
/** What is left before a name where a URL was copied out of HTML with its `&amp;`. */
const fromHtml = /^(?:amp;)+/i;
const amountMax = 1e9;
/**
 * A number as JSON has it (RFC 8259, section 6), with leading zeros too, and as many decimals as programs write for a
 * quotient.
 */
const jsonNumber = /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i;

/** The number that a text writes, NaN if it is none; infinite where its exponent is too great. */
function numberIn(text: string): number {
  return text !== '' && jsonNumber.test(text) ? Number(text) : Number.NaN;
}

function decoded(written: string): string {
  const text = written.includes('+') ? written.replaceAll('+', ' ') : written;
  return text.includes('%') ? decode(text) : text;
}

/**
 * Names, and values still encoded (URL standard, "application/x-www-form-urlencoded parsing"). They are few, so lists
 * are faster than an object, for which V8 would first put each name into its table of names.
 */
function pairsOf(query: string) {
  const [names, values]: [string[], string[]] = [[], []];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    names.push(decoded(name).replace(fromHtml, ''));
    values.push(equals === -1 ? '' : pair.slice(equals + 1));
  }
  return { names, values };
}

/** Reads the query of a request's URL. Never throws: bytes that are no UTF-8 become U+FFFD. */
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
    const written = values[names.indexOf(name)] ?? '';
    const value = decoded(written);
    // As written, too: in `%%DEVICE%%` the first letters would be read as an encoded byte.
    if (isUnfilled(value) || isUnfilled(written)) return absent(name);
    return value.length > charactersMax ? value.slice(0, charactersMax) : value;
  };
  return {
    text,
    unfilled,
    known(name, isZeroValue = false) {
      const value = text(name);
      return saysNothing(value) && !(isZeroValue && value === '0') ? absent(name) : value;
    },
    integer(name, max, min = 0) {
      const value = text(name);
      const number = numberIn(value);
      if (number >= min && number <= max && Number.isInteger(number)) return number;
      if (saysNothing(value)) absent(name);
      return undefined;
    },
    amount(name) {
      const value = text(name);
      if (saysNothing(value) && value !== '0') absent(name);
      const number = value.startsWith('-') ? Number.NaN : numberIn(value);
      return number < amountMax ? number : undefined;
    },
  };
}
