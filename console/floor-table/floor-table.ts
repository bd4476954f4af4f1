import {
  type Conditions,
  conditionOf,
  device,
  isAny,
  wordsOf,
} from '../../src/management/floor-files/conditions.ts';
import type { Stored } from '../api/objects.ts';
import { itemsIn, numbersIn } from '../api/values.ts';
import { entityOf, type ShownEntity, type ShownField } from '../field-tables.ts';
import { isActive } from '../parts/object-name.ts';

/** Whose floors a table has. */
export interface Scope {
  /** `team`, or as `VastTag:17`. */
  readonly key: string;
  /** What new rules are called after; "" for the whole team. */
  readonly name: string;
  /** The field of rules that names it, with its ID; absent for the whole team. */
  readonly owner?: readonly [field: string, id: number];
  /** By what else rules reach it: its publisher. */
  readonly account?: readonly [field: string, id: number] | undefined;
}

/** The fields of rules, by what they are to a table. */
export interface RuleFields {
  /** Whose floors a rule sets, each with the entity that it names. */
  readonly owners: readonly (ShownField & { readonly references: string })[];
  /** Conditions that a table does not show. */
  readonly others: readonly string[];
}

const conditionSections = ['Connections', 'Targeting', 'Lists'];
const shownConditions = ['Countries', 'DeviceTypes'];
const ownerSides = ['supply', 'account'];

const isOwner = (field: ShownField): field is RuleFields['owners'][number] =>
  ownerSides.includes(entityOf(field.references ?? '')?.side ?? '');

export function ruleFieldsOf(fields: readonly ShownField[]): RuleFields {
  const owners = fields.filter(isOwner);
  const others = fields.filter(
    ({ name, section, form }) =>
      conditionSections.includes(section) &&
      (form.type === 'array' || form.type === 'string') &&
      !shownConditions.includes(name) &&
      owners.every((owner) => owner.name !== name),
  );
  return { owners, others: others.map(({ name }) => name) };
}

const isEmpty = (value: unknown) => (Array.isArray(value) ? value.length === 0 : !value);

/** Whether a rule has no conditions but those on country and device, and some more. */
export const isSimple = (rule: Stored, { others }: RuleFields, besides: readonly string[] = []): boolean =>
  others.every((name) => besides.includes(name) || isEmpty(rule[name]));

const ownersOf = (rule: Stored, { owners }: RuleFields) =>
  owners.flatMap(({ name }) => numbersIn(rule[name]).map((id) => [name, id] as const));

const isOf = (owner: Scope['owner'], [field, id]: readonly [string, number]) =>
  owner?.[0] === field && owner[1] === id;

/** Whether a rule is for the scope and nothing else. */
export function isOwn(rule: Stored, { owner }: Scope, fields: RuleFields): boolean {
  const owners = ownersOf(rule, fields);
  return owner ? owners.length === 1 && owners.every((one) => isOf(owner, one)) : owners.length === 0;
}

/** Whether a rule holds for all supply of the scope. */
function reaches(rule: Stored, { owner, account }: Scope, fields: RuleFields): boolean {
  const owners = ownersOf(rule, fields);
  return owners.length === 0 || owners.some((one) => isOf(owner, one) || isOf(account, one));
}

/** In the order in which the exchange asks rules. */
export const inOrder = (rules: readonly Stored[]): readonly Stored[] =>
  rules.toSorted((one, other) => Number(one.Priority) - Number(other.Priority) || one.Id - other.Id);

/** The conditions of a rule that files can have. */
export const conditionsIn = (rule: Stored): Conditions => ({
  Countries: itemsIn(rule.Countries),
  DeviceTypes: itemsIn(rule.DeviceTypes),
  AdTypes: itemsIn(rule.AdTypes),
  SizesList: itemsIn(rule.SizesList),
});

/** The countries of a row, or the devices of a column, by their words. */
const read = (words: string, condition: typeof device | undefined) =>
  isAny(words) ? {} : (condition?.read(words) ?? {});

/** The conditions of a cell. */
export const conditionsAt = (row: string, column: string): Conditions => ({
  ...read(row, conditionOf('country')),
  ...read(column, device),
});

const isWithin = (inner: string, outer: string) => {
  if (outer === '*') return true;
  const words = new Set(outer.split(', '));
  return inner !== '*' && inner.split(', ').every((word) => words.has(word));
};

const placeOf = (rule: Stored) => {
  const conditions = conditionsIn(rule);
  return { rule, row: wordsOf('Countries', conditions), column: wordsOf('DeviceTypes', conditions) };
};
type Placed = ReturnType<typeof placeOf>;

/** Which of the rules holds for all of a cell, or of a row's cells. */
const holding = (placed: readonly Placed[], row: string, column: string) =>
  placed.find((one) => isWithin(row, one.row) && isWithin(column, one.column));

export interface Cell {
  /** The scope's own rule for exactly this. */
  readonly own?: Stored | undefined;
  /** The rule that holds: its own, or one for more. */
  readonly held?: Stored | undefined;
}

/** Floors by country and device. */
export interface FloorTable {
  /** Words of countries, as `AT, DE`; `*` = any. */
  readonly rows: readonly string[];
  /** Words of devices. */
  readonly columns: readonly string[];
  readonly cellAt: (row: string, column: string) => Cell;
  /** Active rules of the scope that no cell shows. */
  readonly others: readonly Stored[];
}

const anyFirst = (words: Iterable<string>): string[] =>
  [...new Set(['*', ...words])].toSorted((one, other) =>
    one === '*' || other === '*' ? Number(other === '*') - Number(one === '*') : one.localeCompare(other),
  );

/** Has a row and a column for each that a rule names, whosever it is, for those that are wanted `besides`, and for any. */
export function floorTable(
  rules: readonly Stored[],
  scope: Scope,
  fields: RuleFields,
  besides: { readonly rows: readonly string[]; readonly columns: readonly string[] },
): FloorTable {
  const active = inOrder(rules.filter((rule) => isActive(rule) && reaches(rule, scope, fields)));
  const placed = active.filter((rule) => isSimple(rule, fields)).map(placeOf);
  const own = new Map<string, Stored>();
  const others: Stored[] = [];
  for (const rule of active.filter((one) => isOwn(one, scope, fields))) {
    const { row, column } = placeOf(rule);
    const key = `${row}|${column}`;
    if (isSimple(rule, fields) && !own.has(key)) own.set(key, rule);
    else others.push(rule);
  }
  const byRow = new Map<string, readonly Placed[]>();
  const heldAt = (row: string, column: string) => {
    const ofRow = byRow.get(row) ?? placed.filter((one) => isWithin(row, one.row));
    byRow.set(row, ofRow);
    return holding(ofRow, row, column)?.rule;
  };
  return {
    rows: anyFirst([...placed.map(({ row }) => row), ...besides.rows]),
    columns: anyFirst([...placed.map(({ column }) => column), ...besides.columns]),
    cellAt: (row, column) => ({
      own: own.get(`${row}|${column}`),
      held: heldAt(row, column),
    }),
    others,
  };
}

export const isAuto = ({ Auto }: Stored): boolean => Auto === 1;

/** As cells have it: `1.5`, or `1.5 EUR`. */
export const floorText = ({ Floor, FloorInForce = Floor, Currency }: Stored): string =>
  Currency && Currency !== 'USD' ? `${FloorInForce} ${Currency}` : String(FloorInForce);

export const rowTitle = (row: string): string => (row === '*' ? 'Any country' : row);
export const columnTitle = (column: string): string => (column === '*' ? 'Any device' : column);

/** The own floors of a table as the rows of a file, which is read as the same floors; not those that change by themselves. */
export function floorRows({
  rows,
  columns,
  cellAt,
}: FloorTable): readonly (readonly (string | number | null)[])[] {
  const cell = (row: string, column: string) => {
    const { own } = cellAt(row, column);
    if (!own || isAuto(own)) return null;
    return own.Currency && own.Currency !== 'USD' ? floorText(own) : Number(own.Floor);
  };
  return [
    ['Country', ...columns.map(columnTitle)],
    ...rows.map((row) => [rowTitle(row), ...columns.map((column) => cell(row, column))]),
  ];
}

/** A scope as its key names it; the table of the whole team for what is no scope. */
export function scopeOf(
  key: string,
  object: Stored | undefined,
  name: string,
  { owners }: RuleFields,
): Scope | undefined {
  const [kind, id] = key.split(':');
  const owner = owners.find(({ references }) => references === kind);
  if (!owner || !id) return { key: 'team', name: '' };
  const account = accountOf(entityOf(owner.references), object);
  const through = owners.find(({ references }) => references === account?.[0]);
  return (
    object && {
      key,
      name,
      owner: [owner.name, object.Id],
      account: through && account && [through.name, account[1]],
    }
  );
}

const accountOf = (entity: ShownEntity | undefined, object: Stored | undefined) =>
  entity?.owner && object && ([entity.owner.entity, Number(object[entity.owner.field])] as const);
