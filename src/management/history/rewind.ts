import type { Entity } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Place } from '../../fields/field.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import type { ChangeRecord, LinkChange, StoredObject } from '../../store/interface.ts';

/** What the log can restore. */
interface Draft {
  status: number;
  managerId: number;
  readonly document: Record<string, unknown>;
  readonly derived: Record<string, unknown>;
}

type Restore = (draft: Draft, name: string, value: unknown) => void;

const intoDocument: Restore = (draft, name, value) => {
  // A field that did not exist yet reads as omitted.
  if (value === undefined) delete draft.document[name];
  else setOwnMember(draft.document, name, value);
};

/** By kind of place, if not in the document. */
const restorers: Readonly<Partial<Record<Place['kind'], Restore>>> = {
  connection: (draft, name, value) => {
    setOwnMember(draft.derived, name, value ?? []);
  },
  manager: (draft, _, value) => {
    draft.managerId = Number(value ?? 0);
  },
  // Credentials are today's.
  secret: () => undefined,
  // Of the columns, only the status changes.
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

/** Removes added IDs, and puts removed ones back at their index. */
function unlinked(ids: unknown, { Added, Removed }: LinkChange): number[] {
  const came = new Set(Added);
  const before = (ids as number[]).filter((id) => !came.has(id));
  for (const { Id, Index } of Removed.toSorted((a, b) => a.Index - b.Index)) before.splice(Index, 0, Id);
  return before;
}

/**
 * Undoes an object's last changes, given newest first; undefined if one of them added it. Restores own fields, status,
 * connections and the account manager's ID; all else stays.
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
