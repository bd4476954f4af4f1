const nanosPerUsd = 1_000_000_000n;
/** No text of a figure is longer. */
const charactersMax = 64;

const plainCount = /^\d+(?:\.0+)?$/;
const groupedCount = /^\d{1,3}(?:,\d{3})+$/;

/** A count: a whole number of 0 or more, thousands with commas or without; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const text = String(value).trim();
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (!plainCount.test(text) && !groupedCount.test(text)) return undefined;
  const count = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(count) ? count : undefined;
}

const plainAmount = /^(-?)\$?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i;
/** With one comma alone it might be decimals: of `1,234` nobody can tell. */
const groupedAmount = /^-?\$?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;

/** `digits` times ten to the power of `exponent`, as a whole number, half rounded up. */
function scaled(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor / 2n) / divisor;
}

/** An amount in USD as nano-USD, exact as it is written; undefined for what is none, or beyond what we count. */
export function nanosOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim();
  if (text.length > charactersMax) return undefined;
  const plain = groupedAmount.test(text) ? text.replaceAll(',', '') : text;
  const [whole, sign = '', units = '', decimals = '', exponent = '0'] = plainAmount.exec(plain) ?? [];
  if (whole === undefined) return undefined;
  const nanos = scaled(BigInt(units + decimals) * nanosPerUsd, Number(exponent) - decimals.length);
  const signed = Number(sign === '-' ? -nanos : nanos);
  return Number.isSafeInteger(signed) ? signed : undefined;
}

const dayMs = 86_400_000;
const dated = /^(\d{4})([-/]?)(\d{2})\2(\d{2})(?:$|[T ])/;
/** A time with an offset, which may be of another day of UTC. */
const withOffset = /[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** The day of UTC (days since 1970) that a time is on. */
export const utcDayAt = (ms: number): number => Math.floor(ms / dayMs);

/**
 * Reads the day (days since 1970) of a date that cannot be read in two ways: year, month, day, with `-`, `/` or nothing
 * between, and any time behind it; a time with an offset is on the day that `dayAt` says. Undefined for anything else.
 */
export const dayReader =
  (dayAt: (ms: number) => number) =>
  (value: unknown): number | undefined => {
    const text = String(value).trim();
    const [, year, , month, day] = dated.exec(text) ?? [];
    if (year === undefined || text.length > charactersMax) return undefined;
    const date = `${year}-${month}-${day}`;
    const dateMs = Date.parse(date);
    if (Number.isNaN(dateMs) || new Date(dateMs).toJSON()?.slice(0, 10) !== date) return undefined;
    if (!withOffset.test(text)) return dateMs / dayMs;
    const ms = Date.parse(date + text.slice(text.search(/[T ]/)));
    return Number.isNaN(ms) ? undefined : dayAt(ms);
  };
