import { Type } from 'typebox';
import { closedObject, oneOf } from '../../answers/wire-schema.ts';
import { entities } from '../../entities/registry.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { searchTeam } from './search-team.ts';

const queryMax = 1024;
const limitDefault = 20;
const limitMax = 100;

const [firstKey = '', ...otherKeys] = entities.map(({ key }) => key);

export const search = defineEndpoint({
  method: 'GET',
  path: '/api/search',
  name: 'search',
  tag: { name: 'Search', description: 'Finds objects of all kinds.' },
  summary: 'Search objects',
  description:
    "The team's objects of all kinds that contain the text, best match first: whole names, IDs, parts of names, URLs, credentials (whole, or in one of our URLs), domains, then other short texts. Case is ignored, except in credentials. Lists also match if a line equals or covers the text: the domain above it, or the range that contains the address. Each object is returned once, with the field that matches best.",
  access: reader,
  parameters: {
    Query: {
      ...text({
        help: 'The text to look for',
        schema: { type: 'string', minLength: 1, maxLength: queryMax },
        example: 'example',
        check: (value) =>
          value.trim().length > queryMax
            ? { Code: 'too_long', Message: `must have at most ${queryMax} characters` }
            : undefined,
      }),
      read: (value: string) => value.trim(),
      isRequired: true,
    },
    Limit: number({
      help: `Maximum number of objects to return, up to ${limitMax}; 0 or absent = ${limitDefault}`,
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
        Field: Type.String({ description: 'The field that contains the text' }),
        Value: Type.String({ description: 'The value of that field; for `ListText`, the line' }),
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
    (context) =>
    async ({ caller, parameters: { Query = '', Limit } }) => {
      const found = await searchTeam(context, caller, Query, Limit || limitDefault);
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
