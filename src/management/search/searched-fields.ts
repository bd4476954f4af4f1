import type { Entity } from '../../entities/entity.ts';
import type { Field } from '../../fields/field.ts';

export const textKinds = ['name', 'url', 'credential', 'domain', 'text'] as const;
export type TextKind = (typeof textKinds)[number];

/** What is read together: most searches need only names, which the database reads without JSON. */
export const textParts = { names: ['name'], others: ['url', 'credential', 'domain', 'text'] } as const;
export type TextPart = keyof typeof textParts;

/** The best first. */
export const matchKinds = ['name', 'id', 'namePart', 'line', 'url', 'credential', 'domain', 'text'] as const;
/** A kind of value, the ID, or a list's line; a name that is more than the query is a kind of its own. */
export type MatchKind = (typeof matchKinds)[number];

export interface SearchedField {
  readonly name: string;
  readonly kind: TextKind;
}

const charactersMax = 4096;

function kindOf(name: string, { place, accepts, isConfidential }: Field): TextKind | undefined {
  if (place.kind === 'secret') return 'credential';
  const { type, format, maxLength = 0 } = accepts as { type?: string; format?: string; maxLength?: number };
  if (place.kind !== 'document' || type !== 'string' || isConfidential || maxLength > charactersMax)
    return undefined;
  if (name === 'Name') return 'name';
  return format === 'url' || format === 'domain' ? format : 'text';
}

/** Short texts and credentials, except what clients keep secret. */
export function searchedFields({ fields }: Entity): readonly SearchedField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const kind = kindOf(name, field);
    return kind ? [{ name, kind }] : [];
  });
}
