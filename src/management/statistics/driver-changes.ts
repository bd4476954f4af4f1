import { entityOf } from '../../entities/registry.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { ChangeRecord, Store } from '../../store/interface.ts';
import type { ObjectKey } from '../../store/statistics/interface.ts';
import { type FieldChange, type HistoryRow, historyRow } from '../history/history-row.ts';
import { createUserNames } from '../history/user-names.ts';
import { keyOf } from './driver-figures.ts';

const perObject = 4;
/** Longer values, like lists of countries, are named without them. */
const valueCharactersMax = 200;

export interface NamedObject {
  readonly name: string;
  /** Its own changes and its account's, newest first. */
  readonly changes: readonly HistoryRow[];
}

type Reads = Pick<Store, 'reads' | 'changes' | 'identity'>;

interface Times {
  readonly fromMs: number;
  readonly untilMs: number;
}

const isShort = (change: FieldChange) => JSON.stringify(change).length <= valueCharactersMax;

const shortened = (row: HistoryRow): HistoryRow => ({
  ...row,
  // What an object began with is the object.
  Changes:
    row.Operation === 'add'
      ? []
      : row.Changes.map(
          (change): FieldChange => (isShort(change) ? change : { Field: change.Field, Written: 1 }),
        ),
});

/** Of objects, with their names; those that are not the team's are left out. */
export async function readChanges(
  store: Reads,
  teamId: number,
  objects: readonly ObjectKey[],
  { fromMs, untilMs }: Times,
): Promise<ReadonlyMap<string, NamedObject>> {
  const nameOf = createUserNames(store.identity);
  const of = (entity: string, id: number) =>
    store.changes(teamId, { entity, id, fromMs, untilMs, newestFirst: true }, perObject);
  const shown = async (change: ChangeRecord) => shortened(historyRow(change, await nameOf(change.userId)));
  const named = new Map<string, NamedObject>();
  for (const [kind, some] of Map.groupBy(objects, (object) => object.kind)) {
    const entity = entityOf(kind);
    const ids = [...new Set(some.map(({ id }) => id))];
    for (const { id, document } of await store.reads(teamId).documents(entity, ids)) {
      const { owner } = entity;
      const ownerId = owner ? Number(ownMember(document, owner.field) ?? 0) : 0;
      const changes = [
        ...(await of(kind, id)),
        ...(owner && ownerId > 0 ? await of(owner.entity, ownerId) : []),
      ].sort((one, other) => other.revision - one.revision);
      named.set(keyOf({ kind, id }), {
        name: String(document.Name ?? ''),
        changes: await Promise.all(changes.slice(0, perObject).map(shown)),
      });
    }
  }
  return named;
}
