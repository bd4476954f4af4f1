import { fields, figures, sections as shownSections } from 'virtual:fields';
import type { SectionName } from '../src/fields/section-names.ts';
import type { ShownEntity, ShownField, ShownFigure } from './field-tables.ts';

const byEntity = new Map(fields);

/** All fields of an entity, in the order of its table. */
export const fieldsOf = ({ key }: ShownEntity): readonly ShownField[] => byEntity.get(key) ?? [];

/** A field of an entity; undefined where it has none of that name. */
export const fieldOf = (entity: ShownEntity, name: string): ShownField | undefined =>
  fieldsOf(entity).find((field) => field.name === name);

/** What lists show of an entity's objects besides their fields. */
export const figuresOf = ({ side }: ShownEntity): readonly ShownFigure[] =>
  figures.filter(({ sides }) => sides.includes(side));

/** Settings of the team, in their order. */
export const teamFields = byEntity.get('Team') ?? [];

/** What each section of a form is about. */
export const sections: Readonly<Record<SectionName, string>> = shownSections;
