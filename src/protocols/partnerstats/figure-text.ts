const nanosPerUsd = 1_000_000_000n;
/** No figure is longer. */
const charactersMax = 64;

const plainCount = /^\d+(?:\.0+)?$/;
const groupedCount = /^\d{1,3}(?:,\d{3})+$/;

/** A whole number of 0 or more, thousands with or without commas. */
export function countOf(value: unknown): number | undefined {
  const text = String(value).trim();
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (!plainCount.test(text) && !groupedCount.test(text)) return undefined;
  const count = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(count) ? count : undefined;
}

const plainAmount = /^(-?)\$?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i;
/** A single comma is ambiguous: `1,234`. */
const groupedAmount = /^-?\$?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;

/** `digits` × 10^`exponent`, half rounded up. */
function scaled(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor / 2n) / divisor;
}

/** Exact; undefined if it is no amount, or beyond what we count. */
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
/** It may be on another UTC day. */
const withOffset = /[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Days since 1970. */
export const utcDayAt = (ms: number): number => Math.floor(ms / dayMs);

/**
 * Days since 1970, of unambiguous dates: year, month, day with `-`, `/` or nothing; `dayAt` for times with an offset.
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
