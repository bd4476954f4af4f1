import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Place } from '../../fields/field.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { ChangeRecord, LinkChange, StoredObject } from '../../store/interface.ts';

/** The parts of an object that the log can restore. */
interface Draft {
  status: number;
  managerId: number;
  readonly document: Record<string, unknown>;
  readonly derived: Record<string, unknown>;
}

type Restore = (draft: Draft, name: string, value: unknown) => void;

const intoDocument: Restore = (draft, name, value) => {
  // A field that the object did not have yet reads as if it had been omitted.
  if (value === undefined) delete draft.document[name];
  else setOwnMember(draft.document, name, value);
};

/** Where a field's old value goes, when not into the document. */
const restorers: Readonly<Partial<Record<Place['kind'], Restore>>> = {
  connection: (draft, name, value) => {
    setOwnMember(draft.derived, name, value ?? []);
  },
  manager: (draft, _, value) => {
    draft.managerId = Number(value ?? 0);
  },
  // Credentials are those of now.
  secret: () => undefined,
  // Of the columns, only the status ever changes.
  column: (draft, _, value) => {
    draft.status = Number(value);
  },
};

function restore(draft: Draft, entity: Entity, { before, after }: ChangeRecord): void {
  for (const name of Object.keys({ ...before, ...after })) {
    const kind = ownMember(entity.fields, name)?.place.kind;
    const put = (kind && restorers[kind]) ?? intoDocument;
    put(draft, name, ownMember(before, name));
  }
}

/** The IDs as they were before: without those that were added, and with those that were removed back at their index. */
function unlinked(ids: unknown, { Added, Removed }: LinkChange): number[] {
  const came = new Set(Added);
  const before = (ids as number[]).filter((id) => !came.has(id));
  for (const { Id, Index } of Removed.toSorted((a, b) => a.Index - b.Index)) before.splice(Index, 0, Id);
  return before;
}

/**
 * The object as it was before the given changes, which must be its last ones, newest first; undefined when one of them
 * added it. Its own fields, status, connections and the ID of its account manager are restored; all else, including the
 * revision, stays as given.
 */
export function rewind(object: StoredObject, changes: readonly ChangeRecord[]): StoredObject | undefined {
  if (changes.some(({ operation }) => operation === 'add')) return undefined;
  const { status, account } = object;
  const draft: Draft = {
    status,
    managerId: account.managerId,
    document: { ...object.document },
    derived: { ...object.derived },
  };
  for (const change of changes) {
    restore(draft, entityOf(change.entity), change);
    for (const [name, links] of Object.entries(change.links)) {
      setOwnMember(draft.derived, name, unlinked(ownMember(draft.derived, name), links));
    }
  }
  const { managerId, ...rest } = draft;
  return { ...object, ...rest, account: { ...account, managerId } };
}
