import type { Values } from '../api/objects.ts';
import { type SentencePart, sentenceOf } from '../fields.ts';
import { isMet } from '../objects/settings/field-form.ts';
import { valueText } from './value-text.ts';

const punctuation = /^[,;]?\s*/;
/** The words before and behind a value where it stands alone. */
export const wordsAround = (phrase: string): readonly string[] => phrase.replace(punctuation, '').split('{}');

/** A label as it stands within a sentence: `user ID`, but `IP address`. */
const withinSentence = (text: string): string =>
  text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** What a field depends on may be unknown: then it has an effect. */
const hasEffect = ({ onlyIf }: SentencePart, values: Values): boolean =>
  !onlyIf || !(onlyIf.field in values) || isMet(onlyIf, values);

/**
 * What fields say together, `""` for nothing: those that are not among the values, have no effect with them, or are at 0
 * without a label for it are left out.
 */
export function sentenceText(fields: readonly SentencePart[], values: Values): string {
  const said = fields.filter(
    (field) => field.name in values && (field.labels || values[field.name] !== 0) && hasEffect(field, values),
  );
  const text = said
    .map((field) => field.phrase?.replace('{}', () => withinSentence(valueText(field, values[field.name]))))
    .join('')
    .replace(punctuation, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Items in their order, those of fields that make a sentence together as one. */
export const inSentences = <T>(items: readonly T[], fieldOf: (item: T) => SentencePart | undefined) => {
  const groups = Map.groupBy(items, (item) => {
    const field = fieldOf(item);
    return field ? sentenceOf(field)[0] : item;
  });
  return [...groups.values()] as [T, ...T[]][];
};
