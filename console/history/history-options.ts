import type { ShownEntity, ShownField } from '../field-tables.ts';
import type { Change } from '../objects/history/history.ts';
import { nameOfUser, type User } from '../settings/people.ts';

/** Kinds of what is no object; only administrators are told of them. */
const security = [
  { value: 'User', label: 'Users' },
  { value: 'ApiKey', label: 'API keys' },
  { value: 'Team', label: 'The team' },
];
const securityFields = [
  'Mail',
  'FirstName',
  'LastName',
  'Role',
  'PublisherId',
  'AdvertiserId',
  'Status',
  'Password',
  'PasswordLink',
  'SecondFactor',
  'Sessions',
  'Label',
  'UserId',
  'ExpiresAt',
];

/** The names of fields that changes of these can name; without any, those of users, keys and the team. */
export function fieldNames(fields: readonly Pick<ShownField, 'name' | 'place'>[]): readonly string[] {
  const names = fields
    .filter(({ place }) => place !== 'statistic' && place !== 'url')
    .map(({ name }) => name);
  return [...new Set(fields.length > 0 ? names : securityFields)].sort();
}

/** Kinds of what changes; those that only administrators are told of apart. */
export const kindOptions = (entities: readonly ShownEntity[], isAdministrator: boolean) => [
  { group: 'Objects', items: entities.map(({ key, title }) => ({ value: key, label: title })) },
  ...(isAdministrator ? [{ group: 'Security', items: security }] : []),
];

/** Whoever can be chosen: the users that are known, and those whose changes are shown. */
export function userOptions(
  changes: readonly Pick<Change, 'UserId' | 'UserName'>[],
  users: readonly Pick<User, 'Id' | 'FirstName' | 'LastName' | 'Mail'>[],
) {
  const names = new Map(changes.filter(({ UserId }) => UserId > 0).map((one) => [one.UserId, one.UserName]));
  for (const user of users) names.set(user.Id, nameOfUser(user));
  return [...names].map(([id, name]) => ({ value: String(id), label: name }));
}
