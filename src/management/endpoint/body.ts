import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { isObject } from '../../protocols/json.ts';
import type { Values } from '../../store/interface.ts';
import type { Upload } from '../input/list-upload.ts';
import { compileCheck } from '../input/validation.ts';
import { unwrap } from '../input/wrapper.ts';
import { type Example, jsonType, type MediaTable } from './media.ts';

/** As received: its JSON, and what is wrong with the JSON itself. */
export interface ParsedBody {
  readonly body: unknown;
  readonly faults: readonly Fault[];
}

export interface RequestBody<Value = unknown> {
  readonly media: MediaTable;
  readonly isOptional?: boolean;
  /** 1 MiB by default (reference, W13). */
  readonly bytesMax?: number;
  /** Bytes are not read as JSON. */
  readonly isBytes?: boolean;
  /** Outside of quoted texts, if more than the default. */
  readonly structureBytesMax?: number;
  /** If the body may be a form. */
  readonly readForm?: (request: FastifyRequest) => Promise<Upload>;
  /** Refuses with `invalid` and all faults. */
  readonly read: (sent: ParsedBody) => Value;
}

/** An object below a wrapper. */
export function wrappedMedia(wrapper: string, schema: TObject, example: Example): MediaTable {
  return {
    [jsonType]: {
      schema: closedObject({ [wrapper]: schema }),
      example: (links) => ({ [wrapper]: example(links) }),
    },
  };
}

/** `names`: the members that it should have. */
function objectOf(body: unknown, names: readonly string[]): Values {
  if (isObject(body)) return body;
  const members = names.length === 0 ? '' : ` with \`${names.join('` and `')}\``;
  throw invalid([{ Path: '', Code: 'type', Message: `the body must be an object${members}` }]);
}

interface Content<S extends TObject> {
  readonly schema: S;
  /** Key of the object in the body; absent = the body is the object. */
  readonly wrapper?: string;
  readonly example: Example;
  /** Members of answers only, left out (reference, W5). */
  readonly ignored?: readonly string[];
}

/** By its schema, all faults at once (reference, W4 to W6). */
export function checkedBody<S extends TObject>(content: Content<S>): RequestBody<Static<S>> {
  const { schema, wrapper, example, ignored = [] } = content;
  const check = compileCheck(schema);
  const names = Object.keys(schema.properties);
  const isIgnored = (name: string) => ignored.includes(name) && !names.includes(name);
  return {
    media:
      wrapper === undefined ? { [jsonType]: { schema, example } } : wrappedMedia(wrapper, schema, example),
    read({ body, faults: known }) {
      if (known.length > 0) throw invalid(known);
      const sent = wrapper === undefined ? objectOf(body, names) : unwrap(wrapper, body);
      const values = Object.fromEntries(Object.entries(sent).filter(([name]) => !isIgnored(name)));
      const faults = check(values, wrapper ?? '');
      if (faults.length > 0) throw invalid(faults);
      return values as Static<S>;
    },
  };
}

export function bytesBody(bytesMax: number): RequestBody<Buffer> {
  const type = 'application/octet-stream';
  return {
    media: { [type]: { schema: Type.String({ format: 'binary' }) } },
    isBytes: true,
    bytesMax,
    read: ({ body }) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0)),
  };
}

/** No body, or an empty object (reference, A10). */
export const emptyBody: RequestBody<undefined> = {
  media: {},
  isOptional: true,
  read({ body, faults: known }) {
    const sent = body === undefined ? {} : objectOf(body, []);
    const unknown = Object.keys(sent).map((Path): Fault => {
      return { Path, Code: 'unknown_field', Message: 'is not a known field; this operation takes no fields' };
    });
    const faults = [...known, ...unknown];
    if (faults.length > 0) throw invalid(faults);
    return undefined;
  },
};
