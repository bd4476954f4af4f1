import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject } from '../../store/interface.ts';
import { foldCase } from '../listing/listed-field.ts';
import { searchedFields, type TextKind, type TextPart, textParts } from './searched-fields.ts';

/** Before each value, and at an object's end. No value holds it (reference, W18). */
export const separator = '\0';

/** Some objects' values of one kind in lower case, in one text, so that all are searched at once. */
export interface KindText {
  readonly text: string;
  /** Of each object; and one more, the end. */
  readonly starts: Uint32Array;
}

/** In order of ID. */
export interface SearchPage {
  readonly ids: readonly number[];
  /** 0 = Active, 1 = Inactive. */
  readonly statuses: readonly number[];
  readonly nameLengths: readonly number[];
  readonly texts: Readonly<Partial<Record<TextKind, KindText>>>;
  readonly size: number;
}

function kindText(objects: readonly StoredObject[], names: readonly string[]): KindText {
  const starts = new Uint32Array(objects.length + 1);
  let text = '';
  for (const [index, { document }] of objects.entries()) {
    starts[index] = text.length;
    for (const name of names) {
      const value = ownMember(document, name);
      if (typeof value === 'string' && value !== '') text += separator + foldCase(value);
    }
    text += separator;
  }
  starts[objects.length] = text.length;
  return { text, starts };
}

/** In lower case; `""` without texts of names. */
export function nameIn({ texts: { name } }: SearchPage, index: number): string {
  if (!name) return '';
  return name.text.slice((name.starts[index] ?? 0) + 1, (name.starts[index + 1] ?? 0) - 1);
}

/** The fields to read, and pages from objects read with them. */
export interface SearchPageMaker {
  readonly fields: readonly string[];
  make(objects: readonly StoredObject[]): SearchPage;
}

export function searchPageMaker(entity: Entity, part: TextPart): SearchPageMaker {
  const fields = searchedFields(entity);
  const ofKinds = textParts[part].flatMap((kind: TextKind) => {
    const names = fields.filter((field) => field.kind === kind).map(({ name }) => name);
    return names.length > 0 ? [[kind, names] as const] : [];
  });
  return {
    fields: ['Name', ...ofKinds.flatMap(([, names]) => names).filter((name) => name !== 'Name')],
    make(objects) {
      const texts = ofKinds.map(([kind, names]) => [kind, kindText(objects, names)] as const);
      return {
        ids: objects.map(({ id }) => id),
        statuses: objects.map(({ status }) => status),
        nameLengths: objects.map(({ document }) => String(document.Name ?? '').length),
        texts: Object.fromEntries(texts),
        size: texts.reduce((sum, [, { text }]) => sum + text.length, 0),
      };
    },
  };
}
