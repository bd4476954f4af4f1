import { Type } from 'typebox';
import { type ParsedBody, type RequestBody, wrappedMedia } from '../endpoint/body.ts';
import { flag } from '../endpoint/parameter.ts';
import { closedObject, okStatus } from '../endpoint/wire-schema.ts';
import { unwrap } from '../input/wrapper.ts';
import { configSchema } from './document-schema.ts';
import { type PlanEntry, planEntrySchema } from './plan-entry.ts';
import { configExample } from './tag.ts';

const wrapper = 'Config';
const bodyBytesMax = 64 * 1024 * 1024;
/** Room for 40,000 objects with all their fields. */
const structureBytesMax = 16 * 1024 * 1024;

/** What plan and apply take in the query. */
export const configParameters = {
  DeactivateMissing: flag(
    '1 = active objects of the team that the document does not name are deactivated; else they are left alone',
  ),
};

/** A document below its wrapper; faults of its JSON come with it. */
export const configBody = {
  media: wrappedMedia(wrapper, configSchema, () => configExample),
  bytesMax: bodyBytesMax,
  structureBytesMax,
  read: ({ body, faults }: ParsedBody) => ({ document: unwrap(wrapper, body), faults }),
} satisfies RequestBody;

/** A plan as plan and apply answer it. */
export const planResponse = {
  description: 'The plan',
  schema: closedObject({
    Status: okStatus,
    Plan: Type.Array(planEntrySchema, { description: 'What is to be done, or was' }),
  }),
  example: () => ({
    Status: 'Ok',
    Plan: [
      {
        Operation: 'update',
        Entity: 'VastTag',
        Key: 'Weekly pre-roll',
        Id: 1,
        Changes: [{ Field: 'Bidfloor', Old: 1.2, New: 1.5 }],
      },
      { Operation: 'add', Entity: 'Tag', Key: 'Weekly', Id: 0, Changes: [] },
    ],
  }),
};

/** The answer with a plan. */
export function planAnswer(entries: readonly PlanEntry[]) {
  return { body: JSON.stringify({ Status: 'Ok', Plan: entries }) };
}
