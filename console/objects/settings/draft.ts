import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Values } from '../../api/objects.ts';
import { useAccount } from '../../session/session-context.ts';

/** What was typed and is not saved: the changed values, and what they were made from. */
interface Draft {
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
    const without = (field: string) => (values: Values) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => name !== field));
    const drop = (field: string) => {
      const left = without(field);
      const next = { changed: left(changed), base: left(base) };
      if (Object.keys(next.changed).length === 0) removeDraft();
      else setDraft(next);
    };
    return {
      changed,
      conflicts: Object.entries(changed).flatMap(([field, mine]) => {
        const [theirs, before] = [stored[field], base[field]];
        return isSame(theirs, before) || isSame(theirs, mine) ? [] : [{ field, mine, theirs, before }];
      }),
      set(field, value) {
        if (isSame(value, stored[field])) return drop(field);
        const first = field in base ? base[field] : stored[field];
        setDraft({ changed: { ...changed, [field]: value }, base: { ...base, [field]: first } });
      },
      setAll(values) {
        const different = Object.entries(values).filter(([field, value]) => !isSame(value, stored[field]));
        const before = different.map(([field]) => [field, stored[field]] as const);
        setDraft({ changed: Object.fromEntries(different), base: Object.fromEntries(before) });
      },
      drop,
      clear: removeDraft,
      keepMine: (field) => setDraft({ changed, base: { ...base, [field]: stored[field] } }),
    };
  }, [draft, setDraft, removeDraft, stored]);
}
