import type { Entity } from '../../entities/entity.ts';
import type { Field } from '../../fields/field.ts';

/** The kinds of values in which is searched. */
export const textKinds = ['name', 'url', 'credential', 'domain', 'text'] as const;
export type TextKind = (typeof textKinds)[number];

/** What a query is found in, the best first. */
export const matchKinds = ['name', 'id', 'namePart', 'line', 'url', 'credential', 'domain', 'text'] as const;
/** One of them: a kind of value, the ID, or a line of a list; names that are more than the query are another kind. */
export type MatchKind = (typeof matchKinds)[number];

export interface SearchedField {
  readonly name: string;
  readonly kind: TextKind;
}

/** Longer texts are lists of lines, of which a search for a name finds too much. */
const charactersMax = 4096;

function kindOf(name: string, { place, accepts, isConfidential }: Field): TextKind | undefined {
  if (place.kind === 'secret') return 'credential';
  const { type, format, maxLength = 0 } = accepts as { type?: string; format?: string; maxLength?: number };
  if (place.kind !== 'document' || type !== 'string' || isConfidential || maxLength > charactersMax)
    return undefined;
  if (name === 'Name') return 'name';
  return format === 'url' || format === 'domain' ? format : 'text';
}

/** The fields of an entity in which is searched: short texts and credentials, but what clients keep secret. */
export function searchedFields({ fields }: Entity): readonly SearchedField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const kind = kindOf(name, field);
    return kind ? [{ name, kind }] : [];
  });
}
