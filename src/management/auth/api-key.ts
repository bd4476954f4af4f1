import { type TProperties, Type } from 'typebox';
import type { ApiKey, NewApiKey } from '../../identity/api-keys.ts';
import { closedObject } from '../endpoint/wire-schema.ts';
import { dateTimePattern } from '../input/moment.ts';

/** When something happens or happened: a date and a time with its zone; `""` where it never does. */
export const momentSchema = (description: string) =>
  Type.String({
    pattern: `^(${dateTimePattern})?$`,
    maxLength: 40,
    description,
    'x-wants': 'must be a date and time as 2027-01-31T12:00:00Z',
  });

/** What a key is for. */
export const labelDescription = 'What the key is for';

const keySchemaWith = <More extends TProperties>(more: More) =>
  closedObject({
    Id: Type.Integer({ description: 'ID of the key' }),
    Label: Type.String({ description: labelDescription }),
    ...more,
    UserId: Type.Integer({ description: 'ID of the user that the key speaks for' }),
    CreatedAt: momentSchema('When the key was added'),
    ExpiresAt: momentSchema('When the key ends; "" = never'),
    LastUsedAt: momentSchema('When the key was last used, to the minute; "" = never'),
  });

/** An API key in answers, without the key itself. */
export const keySchema = keySchemaWith({});

/** A new API key, with the key itself. */
export const newKeySchema = keySchemaWith({
  Key: Type.String({ description: 'The key itself; it is shown only here' }),
});

/** Members of keys in answers. A request ignores those that it does not take itself (decisions W5). */
export const answeredMembers: readonly string[] = Object.keys(newKeySchema.properties);

/** A key in examples. */
export const keyExample = {
  Id: 7,
  Label: 'nightly report',
  UserId: 1,
  CreatedAt: '2027-01-01T09:00:00.000Z',
  ExpiresAt: '2027-12-31T00:00:00.000Z',
  LastUsedAt: '',
};

function shownTime(atMs: number | undefined): string {
  return atMs === undefined ? '' : new Date(atMs).toJSON();
}

/** A key as answers show it. */
export function keyBody(key: ApiKey | NewApiKey) {
  return {
    Id: key.id,
    Label: key.label,
    ...('key' in key ? { Key: key.key } : {}),
    UserId: key.userId,
    CreatedAt: shownTime(key.createdAtMs),
    ExpiresAt: shownTime(key.expiresAtMs),
    LastUsedAt: shownTime(key.lastUsedAtMs),
  };
}

/** The answer to a POST about a key. */
export function keyAnswer(key: ApiKey | NewApiKey) {
  return { body: JSON.stringify({ Status: 'Ok', ApiKey: keyBody(key) }) };
}
