import { createContext, use } from 'react';
import { useNames } from '../api/names.ts';
import type { Values } from '../api/objects.ts';
import type { ValueForm } from '../field-tables.ts';
import { type SentencePart, sentenceOf } from '../fields.ts';
import { sentenceText } from './sentence.ts';
import { valueText } from './value-text.ts';

interface ValueProps {
  readonly field: ValueForm;
  readonly value: unknown;
  readonly none?: string;
}

/** Of the prices of the object that is shown; null if it is not known. */
export const CurrencyContext = createContext<unknown>(null);

const idsOf = (value: unknown): readonly number[] =>
  [value].flat().filter((id): id is number => typeof id === 'number' && id > 0);

/** A value of a field in words, objects and users by their names. */
export function FieldValue({ field, value, none = '' }: ValueProps) {
  const { references } = field;
  const currency = use(CurrencyContext);
  return references === undefined ? (
    valueText(field, value, currency) || none
  ) : (
    <ObjectNames of={references} ids={idsOf(value)} none={none} />
  );
}

interface SayingProps {
  readonly field: SentencePart;
  readonly values: Values;
}

/** What values say in a field, or in the sentence that it is part of. */
export const Saying = ({ field, values }: SayingProps) =>
  field.phrase ? (
    sentenceText(sentenceOf(field), values) || 'empty'
  ) : (
    <FieldValue field={field} value={values[field.name]} none="empty" />
  );

interface ObjectNamesProps {
  /** Entity of the objects, or `User`. */
  readonly of: string;
  readonly ids: readonly number[];
  readonly none?: string;
}

/** Objects or users by their names; by their IDs where these are not known. */
export function ObjectNames({ of, ids, none = '' }: ObjectNamesProps) {
  const names = useNames(of, ids);
  return ids.map((id) => names[id] ?? `ID ${id}`).join(', ') || none;
}
