import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject } from '../../store/interface.ts';
import { foldCase } from '../listing/listed-field.ts';
import { searchedFields, type TextKind, textKinds } from './searched-fields.ts';

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
  readonly texts: Readonly<Record<TextKind, KindText>>;
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

/** In lower case. */
export function nameIn({ texts }: SearchPage, index: number): string {
  const { text, starts } = texts.name;
  return text.slice((starts[index] ?? 0) + 1, (starts[index + 1] ?? 0) - 1);
}

/** From objects read with the searched fields. */
export function searchPageMaker(entity: Entity): (objects: readonly StoredObject[]) => SearchPage {
  const fields = searchedFields(entity);
  const names = textKinds.map(
    (kind) => [kind, fields.filter((field) => field.kind === kind).map(({ name }) => name)] as const,
  );
  return (objects) => {
    const texts = names.map(([kind, of]) => [kind, kindText(objects, of)] as const);
    return {
      ids: objects.map(({ id }) => id),
      statuses: objects.map(({ status }) => status),
      texts: Object.fromEntries(texts) as Record<TextKind, KindText>,
      size: texts.reduce((sum, [, { text }]) => sum + text.length, 0),
    };
  };
}
