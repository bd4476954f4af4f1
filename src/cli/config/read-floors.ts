import { isObject } from '../../protocols/json.ts';
import { csvCells } from '../../protocols/partnerstats/read-csv.ts';
import { adTypes } from '../../reference/ad-types.ts';
import { countries, countryAlpha3 } from '../../reference/countries.ts';
import { deviceTypes } from '../../reference/device-types.ts';

/** A Floor Rule as documents of the configuration have it. */
export type FloorRow = { readonly Name: string } & Readonly<Record<string, unknown>>;

export interface FloorsFile {
  readonly rules: readonly FloorRow[];
  /** Each names its row. */
  readonly faults: readonly string[];
}

const rowsMax = 10_000;
const [first, last] = [1, 20];

type Reading = Readonly<Record<string, unknown>>;
type ReadCell = (text: string) => Reading | undefined;

const alpha2 = new Map(
  countries.flatMap(({ CC }) =>
    [CC, countryAlpha3(CC) ?? CC].map((code) => [code.toUpperCase(), CC] as const),
  ),
);
const devices = new Map<string, number>([
  ['phone', 4],
  ['mobile', 4],
  ['tablet', 5],
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
function listOf<Value>(field: string, of: (text: string) => Value | undefined): ReadCell {
  return (text) => {
    const read = text.split(/[,;\s]+(?=\S)/).map((one) => of(one.trim()));
    return read.includes(undefined) ? undefined : { [field]: read };
  };
}

const sizeOf = (text: string) => (/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(text) ? text : undefined);

/** By the name of a column or of a field of Prebid's schema, in lower case. */
const conditions = new Map<string, ReadCell>([
  [
    'country',
    listOf('Countries', (text) => {
      const CC = alpha2.get(text.toUpperCase());
      return CC && { CC };
    }),
  ],
  ['device', (text) => listOf('DeviceTypes', (one) => devices.get(one.toLowerCase()))(text)],
  ['mediatype', listOf('AdTypes', (text) => media.get(text.toLowerCase()))],
  ['size', listOf('SizesList', sizeOf)],
]);
const sameAs = new Map([
  ['countries', 'country'],
  ['devicetype', 'device'],
  ['devicetypes', 'device'],
  ['adtypes', 'mediatype'],
  ['sizeslist', 'size'],
]);
const conditionOf = (name: string) => {
  const lower = name.trim().toLowerCase();
  return conditions.get(sameAs.get(lower) ?? lower);
};

const isAny = (text: string) => text === '' || text === '*';

const cpmMax = 1_000_000;
const isCpm = (cpm: number) => Number.isFinite(cpm) && cpm >= 0 && cpm <= cpmMax;

/** Columns of spreadsheets that are no conditions. */
const settings = new Map<string, ReadCell>([
  ['floor', (text) => (text !== '' && isCpm(Number(text)) ? { Floor: Number(text) } : undefined)],
  ['name', (Name) => ({ Name })],
  ['currency', (text) => (/^[a-z]{3}$/i.test(text) ? { Currency: text.toUpperCase() } : undefined)],
  ['net', (text) => (/^[01]$/.test(text) ? { Net: Number(text) } : undefined)],
  [
    'priority',
    (text) =>
      /^\d+$/.test(text) && Number(text) >= first && Number(text) <= last
        ? { Priority: Number(text) }
        : undefined,
  ],
  [
    'skippercent',
    (text) => (Number(text) >= 0 && Number(text) <= 100 ? { SkipPercent: Number(text) } : undefined),
  ],
]);

function withNames(rules: readonly FloorRow[], faults: readonly string[]): FloorsFile {
  const names = new Set<string>();
  const twice = rules.flatMap(({ Name }) => {
    const isKnown = names.has(Name);
    names.add(Name);
    return isKnown ? [`${Name}: there are two rules of this name; give each its own`] : [];
  });
  return { rules, faults: [...faults, ...twice] };
}

/** A table with columns for conditions and settings; its first row names them. */
function readTable(text: string): FloorsFile {
  const [head = [], ...rows] = csvCells(text, rowsMax + 1);
  const columns = head.map((name) => ({
    name: name.trim(),
    read: conditionOf(name) ?? settings.get(name.trim().toLowerCase()),
  }));
  const faults = columns.flatMap(({ name, read }) =>
    read || name === ''
      ? []
      : [
          `row 1: ${name} is no column of floors; possible ones: country, device, mediaType, size, floor, name, currency, net, priority, skipPercent`,
        ],
  );
  if (!columns.some(({ name }) => name.toLowerCase() === 'floor'))
    faults.push('row 1: there is no column floor');
  if (rows.length > rowsMax) faults.push(`the file has more than ${rowsMax} rows; split it`);
  const rules = rows.map((cells, at): FloorRow => {
    const values = columns.map(({ name, read }, index) => {
      const cell = (cells[index] ?? '').trim();
      if (!read || (isAny(cell) && name.toLowerCase() !== 'floor')) return {};
      const value = read(cell);
      if (!value) faults.push(`row ${at + 2}: "${cell}" is not a value of ${name}`);
      return value ?? {};
    });
    const shown = columns.flatMap(({ name }, index) =>
      conditionOf(name) ? [(cells[index] ?? '').trim() || '*'] : [],
    );
    return { Name: `Floor ${shown.join(' ')}`.trim(), ...Object.assign({}, ...values) };
  });
  return withNames(rules, faults);
}

/** Prebid looks for the key with the fewest wildcards, those in the first columns last. */
function prioritiesOf(keys: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const formOf = (parts: readonly string[]) => parts.map((part) => Number(isAny(part))).join('');
  const wildcards = (form: string) => form.replaceAll('0', '').length;
  const forms = [...new Set(keys.map(formOf))].toSorted(
    (one, other) => wildcards(one) - wildcards(other) || one.localeCompare(other),
  );
  return new Map(
    keys.map((parts) => [parts.join('\n'), Math.min(last - 1, first + forms.indexOf(formOf(parts)))]),
  );
}

function rangeFault(where: string, floor: unknown): string[] {
  return typeof floor === 'number' && isCpm(floor)
    ? []
    : [`${where}: the floor must be a number from 0 to ${cpmMax}`];
}

/** The data of Prebid's floors module, by itself, in `data` or `floors`, or as the only one of `modelGroups`. */
function dataIn(file: unknown): Reading | undefined {
  if (!isObject(file)) return undefined;
  const { floors, data, modelGroups, values } = file as Reading;
  if (values !== undefined) return file as Reading;
  const [group, ...others] = Array.isArray(modelGroups) ? modelGroups : [];
  if (group && others.length === 0) return isObject(group) ? { ...file, ...group } : undefined;
  return dataIn(data ?? floors);
}

function readPrebid(file: unknown): FloorsFile {
  const data = dataIn(file);
  if (!data)
    return {
      rules: [],
      faults: ['the file has no data of floors, or several model groups; keep one of them'],
    };
  const { schema, values, default: standard, currency, skipRate, floorMin } = data;
  const { fields, delimiter = '|' } = (isObject(schema) ? schema : {}) as Reading;
  const names = Array.isArray(fields) ? fields.map(String) : [];
  if (names.length === 0 || !isObject(values))
    return { rules: [], faults: ['schema.fields and values are required'] };
  const faults: string[] = [];
  const shared = {
    ...(typeof currency === 'string' &&
      currency.toUpperCase() !== 'USD' && { Currency: currency.toUpperCase() }),
    ...(typeof skipRate === 'number' && skipRate > 0 && { SkipPercent: skipRate }),
  };
  const least = typeof floorMin === 'number' ? floorMin : 0;
  const keys = Object.keys(values)
    .slice(0, rowsMax)
    .map((key) => key.split(String(delimiter)).map((part) => part.trim()));
  const priorities = prioritiesOf(keys);
  const rules = Object.entries(values as Reading)
    .slice(0, rowsMax)
    .map(([key, floor], at): FloorRow => {
      const parts = keys[at] ?? [];
      if (parts.length !== names.length)
        faults.push(`${key}: has ${parts.length} parts, and the schema ${names.length} fields`);
      faults.push(...rangeFault(key, floor));
      const read = names.map((name, index) => {
        const part = parts[index] ?? '*';
        if (isAny(part)) return {};
        const condition = conditionOf(name);
        const value = condition?.(part);
        if (!condition)
          faults.push(
            `${key}: ${name} is no condition of floor rules; use * for it, and name supply or a Domain List in the rule`,
          );
        else if (!value) faults.push(`${key}: "${part}" is not a value of ${name}`);
        return value ?? {};
      });
      const Priority = priorities.get(parts.join('\n')) ?? last;
      return {
        Name: `Prebid ${key}`,
        ...Object.assign({}, ...read),
        Floor: Math.max(Number(floor), least),
        Priority,
        ...shared,
      };
    });
  if (standard !== undefined) {
    faults.push(...rangeFault('default', standard));
    rules.push({
      Name: 'Prebid default',
      Floor: Math.max(Number(standard), least),
      Priority: last,
      ...shared,
    });
  }
  return withNames(rules, faults);
}

/** Rules of a table (CSV) or of a floors file of Prebid (JSON). Never throws. */
export function readFloors(text: string): FloorsFile {
  if (!/^\s*[{[]/.test(text)) return readTable(text);
  try {
    return readPrebid(JSON.parse(text));
  } catch {
    return { rules: [], faults: ['the file is not valid JSON'] };
  }
}
