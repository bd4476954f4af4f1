import { fields, figures, sections as shownSections } from 'virtual:fields';
import type { SectionName } from '../src/fields/section-names.ts';
import type { ShownEntity, ShownField, ShownFigure, ValueForm } from './field-tables.ts';

const byEntity = new Map(fields);

/** All fields of an entity, in the order of its table. */
export const fieldsOf = ({ key }: ShownEntity): readonly ShownField[] => byEntity.get(key) ?? [];

/** A field of an entity; undefined where it has none of that name. */
export const fieldOf = (entity: ShownEntity, name: string): ShownField | undefined =>
  fieldsOf(entity).find((field) => field.name === name);

/** What people need to read a value, alone or within a sentence. */
export type SentencePart = ValueForm & Pick<ShownField, 'name' | 'help' | 'phrase' | 'onlyIf'>;
type Sentence = readonly [SentencePart, ...SentencePart[]];

function sentencesOf(all: readonly SentencePart[]): readonly Sentence[] {
  const sentences: [SentencePart, ...SentencePart[]][] = [];
  for (const field of all) {
    const last = sentences.at(-1);
    if (field.phrase && last?.[0].phrase) last.push(field);
    else sentences.push([field]);
  }
  return sentences;
}

const sentences = new Map(
  fields.flatMap(([, all]) => sentencesOf(all)).flatMap((one) => one.map((field) => [field, one])),
);

/** The neighbours with which a field makes a sentence; itself alone if it makes none. */
export const sentenceOf = (field: SentencePart): Sentence => sentences.get(field) ?? [field];

/** What lists show of an entity's objects besides their fields. */
export const figuresOf = ({ side }: ShownEntity): readonly ShownFigure[] =>
  figures.filter(({ sides }) => sides.includes(side));

/** Settings of the team, in their order. */
export const teamFields = byEntity.get('Team') ?? [];

/** What each section of a form is about. */
export const sections: Readonly<Record<SectionName, string>> = shownSections;
