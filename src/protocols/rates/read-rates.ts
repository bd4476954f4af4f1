import { SaxesParser } from 'saxes';
import { isObject, parseJson } from '../json.ts';

/** A text for people: what is wrong. @internal */
export class UnreadableRates extends Error {}

/** What one unit of a currency is worth in USD, by ISO 4217 code. */
export interface ExchangeRates {
  /** Day of publication (UTC), as `2027-01-31`. */
  readonly date: string;
  readonly usdPerUnit: ReadonlyMap<string, number>;
}

/** Prebid's file has 34 currencies for each of two bases, and less than 8 kB. */
const charactersMax = 1_048_576;
const currenciesMax = 400;
const basesMax = 400;
const elementsMax = 2000;
/** No currency is worth more or less; beyond, prices are no longer exact. */
const [usdLeast, usdMost] = [1e-7, 100] as const;
const usd = 'USD';
const code = /^[A-Z]{3}$/;

function fail(text: string): never {
  throw new UnreadableRates(`The exchange rates cannot be read: ${text}`);
}

const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40));

/** Some files have a time behind the day. */
function dayOf(value: unknown, name: string): string {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]{1,20}(?:Z|\+00:00)?)?$/.exec(String(value)) ?? [];
  const isDay = day !== '' && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
  return isDay ? day : fail(`${name} must be a day like 2027-01-31, but is ${shown(value)}`);
}

function positive(value: unknown, name: string): number {
  const isRate = typeof value === 'number' && value > 0 && value < Number.MAX_SAFE_INTEGER;
  return isRate ? value : fail(`${name} must be a number above 0, but is ${shown(value)}`);
}

function tableOf(
  date: string,
  rows: Iterable<readonly [currency: string, usdPerUnit: number]>,
): ExchangeRates {
  const usdPerUnit = new Map<string, number>();
  for (const [currency, rate] of rows) {
    if (currency === usd) continue;
    if (!(rate >= usdLeast && rate <= usdMost)) {
      fail(`one ${currency} must be worth ${usdLeast} to ${usdMost} USD, but is ${rate}`);
    }
    usdPerUnit.set(currency, rate);
  }
  return usdPerUnit.size > 0 ? { date, usdPerUnit } : fail('it names no currency besides USD');
}

type Base = ReadonlyMap<string, number>;

function baseOf(value: unknown, name: string): Base {
  if (!isObject(value)) return fail(`${name} must be an object, but is ${shown(value)}`);
  const rows = Object.entries(value);
  if (rows.length > currenciesMax) fail(`${name} has more than ${currenciesMax} currencies`);
  return new Map(
    rows.map(([currency, rate]) => [codeOf(currency, name), positive(rate, `${name}.${currency}`)]),
  );
}

const codeOf = (currency: string, name: string) =>
  code.test(currency) ? currency : fail(`${name} has ${shown(currency)}, which is no code like EUR`);

/** Prebid's `latest.json`. A rate to USD itself outranks the one that follows from `USD`, its base. */
function readJson(text: string): ExchangeRates {
  const file = parseJson(text);
  if (!isObject(file)) return fail('it is neither JSON nor XML');
  const { dataAsOf, conversions } = file;
  if (!isObject(conversions)) return fail(`conversions must be an object, but is ${shown(conversions)}`);
  const names = Object.entries(conversions);
  if (names.length > basesMax) fail(`conversions has more than ${basesMax} currencies`);
  const bases = new Map(
    names.map(([name, base]) => [codeOf(name, 'conversions'), baseOf(base, `conversions.${name}`)]),
  );
  const fromUsd = [...(bases.get(usd) ?? [])].map(([currency, rate]) => [currency, 1 / rate] as const);
  const toUsd = [...bases].flatMap(([currency, base]) => {
    const rate = base.get(usd);
    return rate === undefined ? [] : [[currency, rate] as const];
  });
  return tableOf(dayOf(dataAsOf, 'dataAsOf'), [...fromUsd, ...toUsd]);
}

/** The daily file of the European Central Bank, whose rates are units of a currency for one EUR. */
function readXml(text: string): ExchangeRates {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const perEuro = new Map<string, number>([['EUR', 1]]);
  let [elements, time] = [0, ''];
  parser.on('doctype', () => fail('it has a DOCTYPE, which is not read'));
  parser.on('opentag', ({ local, attributes }) => {
    elements += 1;
    if (elements > elementsMax) fail(`it has more than ${elementsMax} elements`);
    if (local !== 'Cube') return;
    const { time: day, currency, rate } = attributes;
    // Files of several days begin with the newest.
    if (day && time !== '') fail('it has the rates of several days');
    if (day) time = day.value;
    if (!currency) return;
    const value = /^\d+(?:\.\d+)?$/.test(rate?.value ?? '') ? Number(rate?.value) : rate?.value;
    perEuro.set(codeOf(currency.value, 'Cube'), positive(value, currency.value));
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof UnreadableRates) throw error;
    fail('the XML is not well-formed');
  }
  const date = dayOf(time, 'time');
  const dollars = perEuro.get(usd) ?? fail('it has no rate of USD');
  return tableOf(
    date,
    [...perEuro].map(([currency, rate]) => [currency, dollars / rate] as const),
  );
}

/** Rates in Prebid's form (JSON) or the European Central Bank's (XML). Throws `UnreadableRates`. */
export function readRates(text: string): ExchangeRates {
  if (text.length > charactersMax) fail(`it has more than ${charactersMax} characters`);
  return text.trimStart().startsWith('<') ? readXml(text) : readJson(text);
}
