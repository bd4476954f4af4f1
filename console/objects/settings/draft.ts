import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Values } from '../../api/objects.ts';
import { useAccount } from '../../session/session-context.ts';

/** What was typed and is not saved: the changed values, and what they were made from. */
export interface Draft {
  readonly changed: Values;
  /** The same fields as they were when each was first changed. */
  readonly base: Values;
}

const none: Draft = { changed: {}, base: {} };

/** Whether two values are the same to a reader of their JSON. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What someone else has changed meanwhile in a field that is changed here. */
export interface Conflict {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly before: unknown;
}

/** Values of a form that outlive a reload, an expired session and a server's restart. */
export interface DraftValues {
  readonly changed: Values;
  readonly conflicts: readonly Conflict[];
  readonly set: (field: string, value: unknown) => void;
  readonly setAll: (values: Values) => void;
  readonly drop: (field: string) => void;
  readonly clear: () => void;
  /** Keeps the own value of a field against another's. */
  readonly keepMine: (field: string) => void;
}

const without = (values: Values, field: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== field));

/** A draft without one of its fields. */
export const dropField = ({ changed, base }: Draft, field: string): Draft => ({
  changed: without(changed, field),
  base: without(base, field),
});

/** A draft with a value typed into a field; the stored value typed again is no change. */
export function setField(draft: Draft, field: string, value: unknown, stored: Values): Draft {
  const { changed, base } = draft;
  if (isSame(value, stored[field])) return dropField(draft, field);
  const first = field in base ? base[field] : stored[field];
  return { changed: { ...changed, [field]: value }, base: { ...base, [field]: first } };
}

/** The draft that makes these values of the stored ones. */
export function draftOf(values: Values, stored: Values): Draft {
  const different = Object.entries(values).filter(([field, value]) => !isSame(value, stored[field]));
  const before = different.map(([field]) => [field, stored[field]] as const);
  return { changed: Object.fromEntries(different), base: Object.fromEntries(before) };
}

/** The fields of a draft whose stored values have changed since, unless they became what was typed. */
export const conflictsIn = ({ changed, base }: Draft, stored: Values): readonly Conflict[] =>
  Object.entries(changed).flatMap(([field, mine]) => {
    const [theirs, before] = [stored[field], base[field]];
    return isSame(theirs, before) || isSame(theirs, mine) ? [] : [{ field, mine, theirs, before }];
  });

/** The draft of a form, kept in this browser under `key`, over the values that are stored. */
export function useDraft(key: string, stored: Values): DraftValues {
  const [draft, setDraft, removeDraft] = useLocalStorage<Draft>({
    // Whoever logs in next in this browser begins without it.
    key: `bourse-draft-${useAccount().Id}-${key}`,
    defaultValue: none,
    getInitialValueInEffect: false,
  });
  return useMemo(() => {
    const { changed, base } = draft;
    const keep = (next: Draft) => (Object.keys(next.changed).length === 0 ? removeDraft() : setDraft(next));
    return {
      changed,
      conflicts: conflictsIn(draft, stored),
      set: (field, value) => keep(setField(draft, field, value, stored)),
      setAll: (values) => setDraft(draftOf(values, stored)),
      drop: (field) => keep(dropField(draft, field)),
      clear: removeDraft,
      keepMine: (field) => setDraft({ changed, base: { ...base, [field]: stored[field] } }),
    };
  }, [draft, setDraft, removeDraft, stored]);
}
