import { Type } from 'typebox';

const pattern = '^[A-Za-z0-9_-]{1,64}$';
const wants = 'must be 1 to 64 letters, digits, hyphens or underscores, for example a UUID';

export const batchIdSchema = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern, description, 'x-wants': wants });

/** Undefined if nothing is wrong. */
export const batchIdFault = (value: string) =>
  new RegExp(pattern).test(value) ? undefined : { Code: 'format' as const, Message: wants };
