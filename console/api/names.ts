import { queryOptions, useQuery } from '@tanstack/react-query';
import { entityOf } from '../field-tables.ts';
import { objectName } from '../parts/object-name.ts';
import { nameOfUser, usersQuery } from '../settings/people.ts';
import { arrayIn } from './answers.ts';
import { call } from './call.ts';

/** Names of objects of an entity, by ID. */
export const namesQuery = (key: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['names', key, ids],
    async queryFn({ signal }): Promise<Readonly<Record<number, string>>> {
      const entity = entityOf(key);
      if (!entity || ids.length === 0) return {};
      const Fields = entity.knownBy.filter((name) => ['Id', 'Name', 'Mail'].includes(name)).join();
      const Filter = JSON.stringify([{ Field: 'Id', Operator: 'in', Values: ids }]);
      const { data } = await call(`api/${entity.path}/get`, {
        query: { Fields, Filter },
        signal,
      });
      return Object.fromEntries(arrayIn(data).map((object) => [object.Id, objectName(object)]));
    },
    staleTime: 60_000,
  });

/** Names of the objects, or the users, that a field names by ID; of some there is none, or none that one may see. */
export function useNames(key: string, ids: readonly number[]): Readonly<Record<number, string>> {
  const ofUsers = key === 'User';
  const isAsked = ids.length > 0;
  const { data: objects = {} } = useQuery({ ...namesQuery(key, ids), enabled: isAsked && !ofUsers });
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: isAsked && ofUsers });
  return ofUsers ? Object.fromEntries(users.map((user) => [user.Id, nameOfUser(user)])) : objects;
}
