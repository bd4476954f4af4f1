import { Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import type { Store, StoredObject } from '../../store/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { closedObject, oneOf } from '../endpoint/wire-schema.ts';
import { lotsOf } from '../listing/matches.ts';
import { compileMatcher, type Match } from './matcher.ts';
import { searchedFields } from './searched-fields.ts';

const queryMax = 1024;
const limitDefault = 20;
const limitMax = 100;

interface Found extends Match {
  readonly entity: Entity;
  readonly id: number;
  readonly name: string;
  readonly status: number;
}

const compareFound = (one: Found, other: Found) =>
  one.rank - other.rank ||
  one.status - other.status ||
  one.name.length - other.name.length ||
  entities.indexOf(one.entity) - entities.indexOf(other.entity) ||
  one.id - other.id;

/** The best matches in all of a team's objects. */
async function searchTeam(
  store: Store,
  teamId: number,
  query: string,
  limit: number,
): Promise<readonly Found[]> {
  let best: Found[] = [];
  for (const entity of entities) {
    const fields = searchedFields(entity);
    const match = compileMatcher(query, fields);
    const names = fields.map(({ name }) => name);
    const make = (objects: readonly StoredObject[]) =>
      objects.flatMap(({ id, status, document }): Found[] => {
        const where = match(id, document);
        return where ? [{ ...where, entity, id, status, name: String(document.Name ?? '') }] : [];
      });
    for await (const found of lotsOf({ store, entity, teamId, fields: names }, make)) {
      if (found.length > 0) best = [...best, ...found].sort(compareFound).slice(0, limit);
    }
  }
  return best;
}

const [firstKey = '', ...otherKeys] = entities.map(({ key }) => key);

/** GET /api/search: finds objects of all kinds. */
export const search = defineEndpoint({
  method: 'GET',
  path: '/api/search',
  name: 'search',
  tag: { name: 'Search', description: 'Finds objects of all kinds.' },
  summary: 'Search objects',
  description:
    "The team's objects of all kinds in which the text stands, the best match first: whole names, IDs, parts of names, URLs, credentials (whole, or in a URL of ours), domains, then other short texts. Upper and lower case are the same, but in credentials. Lines of lists are not searched. Each object comes once, with the field where it matches best.",
  access: reader,
  parameters: {
    Query: {
      ...text({
        help: 'What to look for',
        schema: { type: 'string', minLength: 1, maxLength: queryMax },
        example: 'example',
        check: (value) =>
          value.trim().length > queryMax
            ? { Code: 'too_long', Message: `must have ${queryMax} characters at most` }
            : undefined,
      }),
      read: (value: string) => value.trim(),
      isRequired: true,
    },
    Limit: number({
      help: `Most objects to answer, up to ${limitMax}; 0 or absent = ${limitDefault}`,
      max: limitMax,
    }),
  },
  returns: {
    description: 'The objects, best first',
    schema: Type.Array(
      closedObject({
        Entity: oneOf([firstKey, ...otherKeys], 'Kind of the object'),
        Id: Type.Integer({ description: 'ID of the object' }),
        Name: Type.String({ description: 'Name of the object' }),
        StatusString: oneOf(['Active', 'Inactive'], 'Whether it takes part'),
        Field: Type.String({ description: 'The field where the text stands' }),
        Value: Type.String({ description: 'The value of that field' }),
      }),
    ),
    example: () => [
      {
        Entity: 'Publisher',
        Id: 1,
        Name: 'Example Media',
        StatusString: 'Active',
        Field: 'Name',
        Value: 'Example Media',
      },
    ],
  },
  serve:
    ({ store }) =>
    async ({ caller, parameters: { Query = '', Limit } }) => {
      const found = await searchTeam(store, caller.teamId, Query, Limit || limitDefault);
      return found.map(({ entity, id, name, status, field, value }) => ({
        Entity: entity.key,
        Id: id,
        Name: name,
        StatusString: status === 0 ? ('Active' as const) : ('Inactive' as const),
        Field: field,
        Value: value,
      }));
    },
});
