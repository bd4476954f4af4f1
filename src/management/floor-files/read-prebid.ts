import { isObject, parseJson } from '../../protocols/json.ts';
import { conditionOf, isAny, type Values } from './conditions.ts';
import { cpmFault, type FloorFault, type FloorsFile, isCpm, type ReadRule, rowsMax } from './read-rule.ts';

const [first, last] = [1, 20];

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

/** The data of Prebid's floors module, by itself, in `data` or `floors`, or as the only one of `modelGroups`. */
function dataIn(file: unknown): Values | undefined {
  if (!isObject(file)) return undefined;
  const { floors, data, modelGroups, values } = file;
  if (values !== undefined) return file;
  const [group, ...others] = Array.isArray(modelGroups) ? modelGroups : [];
  if (group && others.length === 0) return isObject(group) ? { ...file, ...group } : undefined;
  return dataIn(data ?? floors);
}

const refused = (text: string): FloorsFile => ({ rules: [], faults: [{ text }] });

function conditionIn(name: string, part: string): Values | string {
  if (isAny(part)) return {};
  const condition = conditionOf(name);
  if (condition) return condition.read(part) ?? `"${part}" is not a value of ${name}`;
  return `${name} is no condition of floor rules; use * for it, and name supply or a Domain List in the rule`;
}

/** What holds for all rules of the file. */
function sharedIn({ currency, skipRate }: Values): Values {
  return {
    ...(typeof currency === 'string' &&
      currency.toUpperCase() !== 'USD' && { Currency: currency.toUpperCase() }),
    ...(typeof skipRate === 'number' && skipRate > 0 && { SkipPercent: skipRate }),
  };
}

interface Entry {
  readonly key: string;
  readonly parts: readonly string[];
  readonly floor: unknown;
}

function faultsOf(names: readonly string[], { parts, floor }: Entry, read: readonly (Values | string)[]) {
  return [
    ...(parts.length === names.length
      ? []
      : [`has ${parts.length} parts, and the schema ${names.length} fields`]),
    ...(typeof floor === 'number' && isCpm(floor) ? [] : [cpmFault]),
    ...read.filter((one) => typeof one === 'string'),
  ];
}

/** Rules of a floors file of Prebid, as JSON. */
export function readPrebidFloors(text: string): FloorsFile {
  const file = parseJson(text);
  if (file === undefined) return refused('the file is not valid JSON');
  const data = dataIn(file);
  if (!data) return refused('the file has no data of floors, or several model groups; keep one of them');
  const { schema, values, default: standard, floorMin } = data;
  const { fields, delimiter = '|' } = isObject(schema) ? schema : {};
  const names = Array.isArray(fields) ? fields.map(String) : [];
  if (names.length === 0 || !isObject(values)) return refused('schema.fields and values are required');
  const entries = Object.entries(values).map(([key, floor]): Entry => {
    return { key, floor, parts: key.split(String(delimiter)).map((part) => part.trim()) };
  });
  if (entries.length > rowsMax) return refused(`the file has more than ${rowsMax} values; split it`);
  const priorities = prioritiesOf(entries.map(({ parts }) => parts));
  const shared = sharedIn(data);
  const settingsOf = (floor: unknown, Priority: number) => ({
    Floor: Math.max(Number(floor), typeof floorMin === 'number' ? floorMin : 0),
    Priority,
    ...shared,
  });
  const [rules, faults]: [ReadRule[], FloorFault[]] = [[], []];
  for (const entry of entries) {
    const { key, parts, floor } = entry;
    const read = names.map((name, index) => conditionIn(name, parts[index] ?? '*'));
    const own = faultsOf(names, entry, read);
    faults.push(...own.map((fault) => ({ place: key, text: fault })));
    if (own.length > 0) continue;
    const settings = settingsOf(floor, priorities.get(parts.join('\n')) ?? last);
    rules.push({
      place: key,
      conditions: Object.assign({}, ...read),
      settings,
      added: { Name: `Prebid ${key}` },
    });
  }
  if (standard === undefined) return { rules, faults };
  if (typeof standard !== 'number' || !isCpm(standard))
    return { rules, faults: [...faults, { place: 'default', text: cpmFault }] };
  const added = { Name: 'Prebid default' };
  return {
    rules: [...rules, { place: 'default', conditions: {}, settings: settingsOf(standard, last), added }],
    faults,
  };
}
