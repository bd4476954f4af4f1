import type { Condition } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { searchedOf, textOf } from '../parts/address-values.ts';

export interface ListSearch {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly owner?: string | undefined;
  /** A column, with `-` before it for the greatest first. */
  readonly sort?: string | undefined;
  readonly filter?: readonly Condition[] | undefined;
  /** Whose floors are shown as a table, in place of the list: `team`, or an object as `VastTag:17`. */
  readonly table?: string | undefined;
}

const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'Field' in value && 'Operator' in value && 'Values' in value;

/** What an address says, as far as it says something. */
export const readListSearch = (sent: Readonly<Record<string, unknown>>): ListSearch => ({
  q: searchedOf(sent.q),
  status: textOf(sent.status),
  owner: textOf(sent.owner),
  sort: textOf(sent.sort),
  filter: Array.isArray(sent.filter) ? sent.filter.filter(isCondition) : undefined,
  table: textOf(sent.table),
});

/** What an address says, as the API takes it. */
export const askedOf = (
  { owner: ownerField }: ShownEntity,
  { q = '', status, owner, filter = [], sort }: ListSearch,
) => ({
  filter: [
    ...filter,
    ...(status === undefined
      ? []
      : [{ Field: 'Status', Operator: 'in', Values: [status === 'active' ? 0 : 1] }]),
    ...(owner === undefined || !ownerField
      ? []
      : [{ Field: `${ownerField.entity}Name`, Operator: 'in', Values: [owner] }]),
  ] satisfies readonly Condition[],
  words: q.trim() === '' ? undefined : q.trim(),
  sort,
});
