import { adTypes } from '../../reference/ad-types.ts';
import { countries, countryAlpha3 } from '../../reference/countries.ts';
import { deviceTypes } from '../../reference/device-types.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What a cell says; undefined where it says nothing that is known. */
export type ReadCell = (text: string) => Values | undefined;

/** The fields of rules that files have conditions on, the first ones named first. */
const conditionFields = ['Countries', 'DeviceTypes', 'AdTypes', 'SizesList'] as const;
export type ConditionField = (typeof conditionFields)[number];

/** Of a rule; an absent one restricts nothing. */
export type Conditions = { readonly [F in ConditionField]?: readonly unknown[] };

interface Condition {
  readonly field: ConditionField;
  readonly read: ReadCell;
  /** How much earlier a new rule with it is asked, so that rules with more conditions come first. */
  readonly weight: number;
}

const alpha2 = new Map(
  countries.flatMap(({ CC }) =>
    [CC, countryAlpha3(CC) ?? CC].map((code) => [code.toUpperCase(), CC] as const),
  ),
);
const devices = new Map<string, number>([
  ['mobile', 4],
  ['desktop', 2],
  ['ctv', 3],
  ...deviceTypes.flatMap(
    ({ Id, Name }) =>
      [
        [Name.toLowerCase(), Id],
        [String(Id), Id],
      ] as const,
  ),
]);
const media = new Map<string, number>([
  ...Object.entries(adTypes).map(([code, { medium }]) => [medium as string, Number(code)] as const),
  ['video-outstream', 2],
]);

/** Of a cell with several values, each must be known. */
function listOf<Value>(field: ConditionField, of: (text: string) => Value | undefined): ReadCell {
  return (text) => {
    const whole = of(text);
    if (whole !== undefined) return { [field]: [whole] };
    const read = text.split(/[,;]/.test(text) ? /[,;]/ : /\s+/).map((one) => of(one.trim()));
    return read.includes(undefined) ? undefined : { [field]: read };
  };
}

const sizeOf = (text: string) => (/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(text) ? text : undefined);
const countryOf = (text: string) => {
  const CC = alpha2.get(text.toUpperCase());
  return CC && { CC };
};

const country: Condition = { field: 'Countries', read: listOf('Countries', countryOf), weight: 2 };
export const device: Condition = {
  field: 'DeviceTypes',
  read: listOf('DeviceTypes', (text) => devices.get(text.toLowerCase())),
  weight: 1,
};
const adType: Condition = {
  field: 'AdTypes',
  read: listOf('AdTypes', (text) => media.get(text.toLowerCase())),
  weight: 2,
};
const size: Condition = { field: 'SizesList', read: listOf('SizesList', sizeOf), weight: 2 };

/** By the name of a column or of a field of Prebid's schema, in lower case. */
const byName = new Map<string, Condition>([
  ['country', country],
  ['countries', country],
  ['device', device],
  ['devicetype', device],
  ['devicetypes', device],
  ['mediatype', adType],
  ['adtypes', adType],
  ['size', size],
  ['sizeslist', size],
]);

export const conditionOf = (name: string): Condition | undefined => byName.get(name.trim().toLowerCase());

/** Whether a column or field has the countries. */
export const isCountry = (name: string): boolean => conditionOf(name) === country;

const all = [country, device, adType, size];

/** Says nothing, so that the condition is none. */
export const isAny = (text: string): boolean =>
  /^(?:\*|(?:any|all)(?: (?:country|countries|devices?))?)?$/i.test(text.trim());

const deviceNames = new Map(deviceTypes.map(({ Id, Name }) => [Id, Name]));
const mediaNames = new Map(Object.entries(adTypes).map(([code, { medium }]) => [Number(code), medium]));

const words: Readonly<Record<ConditionField, (item: unknown) => string>> = {
  Countries: (item) => (typeof item === 'object' && item !== null && 'CC' in item ? String(item.CC) : ''),
  DeviceTypes: (item) => deviceNames.get(Number(item)) ?? String(item),
  AdTypes: (item) => mediaNames.get(Number(item)) ?? String(item),
  SizesList: String,
};

/** The values of a condition as cells have them, in the order of the alphabet; `*` for none. */
export const wordsOf = (field: ConditionField, { [field]: values = [] }: Conditions): string =>
  values.length > 0 ? values.map(words[field]).toSorted().join(', ') : '*';

/** The same for rules with the same conditions. */
export const conditionsKey = (values: Conditions): string =>
  conditionFields.map((field) => wordsOf(field, values)).join('|');

const usual = 10;

/** Of a new rule. Conditions decide as in Prebid: the rule with most of them first. */
export const priorityOf = (values: Conditions): number =>
  all.reduce(
    (priority, { field, weight }) => (wordsOf(field, values) === '*' ? priority : priority - weight),
    usual,
  );
