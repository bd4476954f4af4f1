import type { ManyChange, ObjectChange } from '../api/batch.ts';
import type { Values } from '../api/objects.ts';

const opposite = { activate: 'deactivate', deactivate: 'activate', add: 'deactivate' } as const;

type StatusChange = keyof typeof opposite;

const isStatusChange = (operation: string): operation is StatusChange => Object.hasOwn(opposite, operation);

/** Changes that undo what was done, the last first. An object that was added stays, inactive. */
export const inverseOf = (done: readonly ObjectChange[]): readonly ManyChange[] =>
  done
    .filter(({ Operation, Before }) => Operation === 'add' || Object.keys(Before).length > 0)
    .map(
      ({ Entity, Id, Operation, Before }): ManyChange =>
        isStatusChange(Operation)
          ? { Entity, Operation: opposite[Operation], Object: { Id } }
          : { Entity, Operation: 'update', Object: { Id, ...Before } },
    )
    .toReversed();

/** What of a change of the history an inverse needs. */
export interface LoggedChange {
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: string;
  readonly Changes: readonly { readonly Field: string; readonly Old?: unknown; readonly Written?: number }[];
}

interface Before {
  readonly Entity: string;
  readonly Id: number;
  values: Values;
  status: StatusChange | undefined;
}

/** The object's state before its oldest change, as far as the log tells. */
function goBack(before: Before, { Operation, Changes }: LoggedChange): void {
  if (isStatusChange(Operation)) before.status = Operation;
  if (Operation === 'add') before.values = {};
  if (Operation !== 'update') return;
  const old = Changes.filter((change) => 'Old' in change).map(({ Field, Old }) => [Field, Old] as const);
  before.values = { ...before.values, ...Object.fromEntries(old) };
}

/**
 * Changes that undo those of the history, given newest first. `isSendable`: whether a field can be set. What the history
 * does not show (credentials, the text of lists) stays.
 */
export function revertOf(
  changes: readonly LoggedChange[],
  isSendable: (entity: string, field: string) => boolean,
): readonly ManyChange[] {
  const objects = new Map<string, Before>();
  for (const change of changes) {
    const { Entity, Id } = change;
    const key = `${Entity} ${Id}`;
    const before = objects.get(key) ?? { Entity, Id, values: {}, status: undefined };
    objects.set(key, before);
    goBack(before, change);
  }
  return [...objects.values()].flatMap(({ Entity, Id, values, status }) => {
    const sent = Object.entries(values).filter(([field]) => isSendable(Entity, field));
    return [
      ...(sent.length > 0
        ? [{ Entity, Operation: 'update' as const, Object: { Id, ...Object.fromEntries(sent) } }]
        : []),
      ...(status ? [{ Entity, Operation: opposite[status], Object: { Id } }] : []),
    ];
  });
}
