import { type TObject, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import type { Values } from '../../store/interface.ts';
import { type RequestBody, wrappedMedia } from '../endpoint/body.ts';
import type { Example, MediaTable } from '../endpoint/media.ts';
import { readUpload } from '../input/list-upload.ts';
import { unwrap, withoutDerived } from '../input/wrapper.ts';
import type { ObjectInput } from '../object-input.ts';

const listBytesMax = 64 * 1024 * 1024;

/** With the faults of the body itself. */
export interface SentObject extends Pick<ObjectInput, 'sent' | 'faults'> {
  /** As sent, including ignored ones. */
  readonly values: Values;
}

interface Content {
  /** Below the wrapper. */
  readonly schema: TObject;
  readonly example: Example;
  /** Members of answers that count here too. */
  readonly kept?: readonly string[];
}

/** Below its wrapper; members of answers only are ignored (reference, W5). */
export function objectBody(entity: Entity, { schema, example, kept = [] }: Content): RequestBody<SentObject> {
  return {
    media: wrappedMedia(entity.wrapper, schema, example),
    read({ body, faults }) {
      const values = unwrap(entity.wrapper, body);
      return { sent: withoutDerived(entity, values, kept), values, faults };
    },
  };
}

/** Lines as a file, other fields as form fields (reference, "Lists"). */
function formMedia(textName: string, { properties }: TObject, kept: readonly string[]): MediaTable {
  const values = Object.entries(properties).flatMap(([name, schema]) => {
    if (name === textName) return [];
    return [[name, kept.includes(name) ? schema : Type.Optional(schema)]];
  });
  const File = Type.Unsafe<unknown>({
    type: 'string',
    format: 'binary',
    description: 'The lines, as UTF-8 text',
  });
  return { 'multipart/form-data': { schema: closedObject({ ...Object.fromEntries(values), File }) } };
}

/** A list also as a form. */
export function objectOrForm(entity: Entity, content: Content): RequestBody<SentObject> {
  const json = objectBody(entity, content);
  const textName = listTextOf(entity)?.name;
  if (textName === undefined) return json;
  return {
    ...json,
    media: { ...json.media, ...formMedia(textName, content.schema, content.kept ?? []) },
    bytesMax: listBytesMax,
    readForm: (request) => readUpload(request, entity, listBytesMax),
  };
}

/** For descriptions of endpoints that take a form too. */
export function formHint(entity: Entity): string {
  const hint = ' Instead, a list can be sent as a form with one `File`, whose lines become its text.';
  return listTextOf(entity) === undefined ? '' : hint;
}
