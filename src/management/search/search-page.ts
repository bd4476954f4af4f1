import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { StoredObject } from '../../store/interface.ts';
import { foldCase } from '../listing/listed-field.ts';
import { searchedFields, type TextKind, textKinds } from './searched-fields.ts';

/** What stands before each value, and at an object's end. No value holds it (reference, W18). */
export const separator = '\0';

/** The values of one kind of some objects: in lower case, one after the other, so that all are searched at once. */
export interface KindText {
  readonly text: string;
  /** Where each object begins; and one more, the end. */
  readonly starts: Uint32Array;
}

/** Some objects of one entity as they are searched, in order of ID. */
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

/** The name of an object of a lot, in lower case. */
export function nameIn({ texts }: SearchPage, index: number): string {
  const { text, starts } = texts.name;
  return text.slice((starts[index] ?? 0) + 1, (starts[index + 1] ?? 0) - 1);
}

/** Makes lots of an entity's objects, which were read with the fields in which is searched. */
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
