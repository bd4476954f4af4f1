import { titleOf as titleOfName } from '../../src/reference/titles.ts';
import type { Unit } from '../../src/reference/units.ts';
import { isWeekHours, weekHoursText } from '../../src/reference/week-hours.ts';
import { hasMembers } from '../api/values.ts';
import type { ValueForm } from '../field-tables.ts';

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const moneyFormats = (currency: string) => ({
  plain: new Intl.NumberFormat('en', {
    ...({ style: 'currency', currency } as const),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }),
  small: new Intl.NumberFormat('en', { style: 'currency', currency, maximumSignificantDigits: 3 }),
});
const smallAmount = 0.1;
const placesMin = 2;
const placesMax = 6;
const fixed = (value: number, places: number, form: Intl.NumberFormatOptions = {}): string =>
  value.toLocaleString('en', { ...form, minimumFractionDigits: places, maximumFractionDigits: places });
const formatsOf = new Map<string, ReturnType<typeof moneyFormats>>();

/** An amount, by default in USD; small ones with as many digits as say something, unless `places` says how many. */
export function moneyText(amount: number, currency = 'USD', places?: number): string {
  const formats = formatsOf.get(currency) ?? moneyFormats(currency);
  formatsOf.set(currency, formats);
  if (places !== undefined && places > placesMin)
    return fixed(amount, places, { style: 'currency', currency });
  const isSmall = places === undefined && amount !== 0 && Math.abs(amount) < smallAmount;
  return (isSmall ? formats.small : formats.plain).format(amount);
}

const isPrice = ({ unit }: ValueForm): boolean => unit === 'CPM' || unit === 'CPC';

/** A count, with its thousands apart. */
export const countText = (count: number): string => counts.format(count);

/** A share of 100. */
export const percentText = (percent: number): string => `${counts.format(Math.round(percent * 10) / 10)} %`;

const isMoney = (unit: Unit | undefined) =>
  unit === 'USD' || unit === 'USD/day' || unit === 'CPM' || unit === 'CPC';

/** With how many decimal places all of these amounts say something; undefined for a unit that has none. */
export function placesFor(amounts: readonly number[], unit: Unit | undefined): number | undefined {
  if (unit === '%') return 1;
  if (!isMoney(unit)) return undefined;
  const smallest = Math.min(...amounts.filter((amount) => amount !== 0).map(Math.abs));
  if (!(smallest < smallAmount)) return placesMin;
  return Math.min(placesMax, Math.ceil(-Math.log10(smallest)) + 1);
}

const flagCodes = 2;

/** Whether a field is 0 or 1 and says no or yes. */
export const isFlag = ({ form, labels }: ValueForm): boolean =>
  labels === undefined && form.enum?.length === flagCodes && form.enum[0] === 0 && form.enum[1] === 1;

/** What a code means, as it stands in texts. */
const labelOf = ({ labels, form }: ValueForm, code: unknown): string =>
  labels?.[String(code)] ?? (form.items?.enum && typeof code === 'string' ? titleOf(code) : String(code));

interface Flight {
  readonly Start: string;
  readonly End: string;
  readonly Impressions?: number;
  readonly Spend?: number;
}
const isFlight = (item: object): item is Flight => 'Start' in item && 'End' in item;

/** A time and its limits. */
function flightText({ Start, End, Impressions = 0, Spend = 0 }: Flight): string {
  const limits = [Impressions && `${countText(Impressions)} impressions`, Spend && moneyText(Spend)];
  const [days, limited] = [`${Start} to ${End}`, limits.filter(Boolean).join(' and ')];
  return limited ? `${days} (${limited})` : days;
}

function itemText(field: ValueForm, item: unknown): string {
  if (!hasMembers(item)) return labelOf(field, item);
  const { CC, Country, Family, ...rest } = item;
  if (isFlight(item)) return flightText(item);
  if (CC !== undefined) return Country ? `${Country} (${CC})` : String(CC);
  if (Family !== undefined) return String(Family);
  return JSON.stringify(rest);
}

/** `places`: see `placesFor`. */
export function amountText(value: number, unit: Unit | undefined, places?: number): string {
  if (isMoney(unit)) return moneyText(value, 'USD', places);
  if (unit === '%') return places === undefined ? percentText(value) : `${fixed(value, places)} %`;
  if (!unit) return countText(value);
  return `${countText(value)} ${value === 1 ? unit.replace(/(?<=\w{3})s(?=\/|$)/, '') : unit}`;
}

/** By its format; explanations have some in words already. */
const textOf = ({ form }: ValueForm, value: unknown): string =>
  form.format === 'week-hours' && isWeekHours(String(value)) ? weekHoursText(String(value)) : String(value);

/**
 * A value in words: codes by their labels, amounts with their sign, lists by their items. `""` for none. `currency`: of
 * the object's prices, `""` = USD; null if it is not known, so that they have their unit.
 */
export function valueText(field: ValueForm, value: unknown, currency: unknown = ''): string {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value)) return value.map((item) => itemText(field, item)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (isFlag(field)) return value === 1 ? 'yes' : 'no';
  if (field.labels) return labelOf(field, value);
  if (typeof value === 'number' && isPrice(field)) {
    return currency === null
      ? `${countText(value)} ${field.unit}`
      : moneyText(value, String(currency || 'USD'));
  }
  return typeof value === 'number' && !field.references
    ? amountText(value, field.unit)
    : textOf(field, value);
}

let otherTitles: Readonly<Record<string, string>> = {};

/** Gives names other titles: partners call the money by what it is to them. */
export function setTitles(titles: Readonly<Record<string, string>>): void {
  otherTitles = titles;
}

/** What stands in headings for a name of the API: its title, or what partners call it. */
export const titleOf = (name: string): string => otherTitles[name] ?? titleOfName(name);
