import { plainName, shortened } from './shown-names.ts';
import { UnreadableStatistics } from './unreadable-statistics.ts';

/** Column names for currencies, as letters and digits. */
const currencyName =
  /^(?:(?:revenue|spend|amount|cost|account|report|reporting|payout|billing)?currency(?:code|name|iso)?|cur|curr|ccy)$/;
const dollars: ReadonlySet<string> = new Set([
  '',
  'usd',
  'us$',
  '$',
  'usdollar',
  'usdollars',
  'dollar',
  'dollars',
  '840',
]);

export const isCurrencyName = (name: string): boolean => currencyName.test(plainName(name));

/** Whatever the rest of the row is in. */
export const hasDollarColumn = (name: string | undefined): boolean =>
  name !== undefined && plainName(name).endsWith('usd');

/** Nobody converts other currencies. */
export function assertDollars(name: string, value: unknown, where: string): void {
  if (value === null || value === undefined || typeof value === 'object') return;
  if (dollars.has(String(value).trim().toLowerCase().replaceAll(/[\s.]/g, ''))) return;
  throw new UnreadableStatistics(
    `${where}${shortened(name)} is ${shortened(JSON.stringify(value))}: only amounts in USD are read. Ask the partner for USD, or name a column with USD after # in StatsApi, for example #amount=revenue_usd`,
  );
}

const otherCurrency =
  /(?:^|[^A-Za-z])(EUR|EURO|GBP|JPY|CNY|RMB|RUB|INR|BRL|CAD|AUD|CHF|PLN|SEK|NOK|DKK|CZK|HUF|MXN|KRW|TRY|ILS|UAH|ZAR|SGD|HKD|TWD|THB|IDR|AED|NZD)\W*$/i;

/** Refuses a column named after another currency. */
export function assertDollarColumn(name: string | undefined): void {
  const [, code] = otherCurrency.exec(name ?? '') ?? [];
  if (name !== undefined && code !== undefined) assertDollars(name, code, 'the currency of ');
}
