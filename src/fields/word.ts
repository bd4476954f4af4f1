import { Type } from 'typebox';
import { documentField, type FieldOptions } from './field.ts';

export type Words<Word extends string> = Readonly<Record<Word, string>>;

/** `""` = none. */
export function word<Word extends string>(row: FieldOptions & { of: Words<Word> }) {
  const { of: labels, ...rest } = row;
  const known = Object.keys(labels) as Word[];
  const wants = `must be one of ${known.join(', ')}, or "" for none`;
  const schema = Type.Enum(['', ...known] as ('' | Word)[], { type: 'string', 'x-wants': wants });
  return { ...documentField(schema, { omitted: '', example: known[0], ...rest }), labels };
}

/** Required by `add`. */
export function requiredWord<Word extends string>(row: FieldOptions & { of: Words<Word> }) {
  const { of: labels, ...rest } = row;
  const known = Object.keys(labels) as Word[];
  const schema = Type.Enum(known, { type: 'string', 'x-wants': `must be one of ${known.join(', ')}` });
  // Never omitted.
  const omitted = '' as Word;
  return {
    ...documentField(schema, { example: known[0], ...rest, omitted }),
    presence: 'required' as const,
    labels,
  };
}

/** From a few known ones. */
export function names<Name extends string>(row: FieldOptions & { of: readonly Name[]; max: number }) {
  const { of: known, max, ...rest } = row;
  const schema = Type.Array(Type.Enum([...known], { type: 'string' }), { maxItems: max });
  return documentField(schema, { omitted: [], example: known.slice(0, 1), ...rest });
}
