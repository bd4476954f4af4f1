import { Type } from 'typebox';
import type { Tag } from '../endpoint/endpoint.ts';
import { closedObject } from '../endpoint/wire-schema.ts';

/** Endpoints that machines ask. */
export const serviceTag: Tag = { name: 'Service', description: 'What the server tells of itself.' };

/** Schema of the answer that all is well. */
export const okSchema = closedObject({
  Status: Type.Literal('Ok', { type: 'string', description: 'It serves' }),
});
