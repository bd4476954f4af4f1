import { Type } from 'typebox';
import { missing } from '../../answers/object-health.ts';
import { closedObject } from '../../answers/wire-schema.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { idsParameter } from './ids-parameter.ts';
import { healthTag } from './object-health.ts';
import { lacksOf } from './readiness.ts';

const idsMax = 500;

const kinds = entities
  .filter(({ warnings = [] }) => warnings.some(({ isBlocking }) => isBlocking))
  .map(({ key }) => key);

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/api/readiness/get',
  name: 'getReadiness',
  tag: healthTag,
  summary: 'Fetch which objects are not ready to serve',
  description: `The objects that cannot serve until something is set, connected or activated, with what they are missing: the \`Warnings\` with \`Blocking\` that each would show by itself. Their own status does not matter. It looks at ${idsMax} objects at most.`,
  access: reader,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the objects',
        schema: { type: 'string', enum: kinds },
        example: 'Campaign',
        check: (value) =>
          kinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind that serves${suggestion(value, kinds)}; possible values: ${kinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Ids: idsParameter(idsMax),
  },
  returns: {
    description: 'Those that are not ready, in order of ID',
    schema: Type.Array(
      closedObject({
        Id: Type.Integer({ description: 'ID of the object' }),
        Name: Type.String({ description: 'Its name' }),
        Missing: missing,
      }),
    ),
    example: () => [
      {
        Id: 1,
        Name: 'Spring',
        Missing: [
          {
            Field: 'MediaUrl',
            Message: 'is empty: a video campaign without a media file shows nothing; set its URL',
          },
        ],
      },
    ],
  },
  serve:
    (context) =>
    async ({ caller: { teamId }, parameters: { Entity = '', Ids } }) => {
      const entity = entityOf(Entity);
      const filter = Ids ? { ids: Ids } : {};
      const objects = await context.store.page(entity, teamId, filter, idsMax + 1, ['Name']);
      if (objects.length > idsMax) {
        const Message = `must name at most ${idsMax} objects: there are more`;
        throw invalid([{ Path: 'Ids', Code: 'required', Message }]);
      }
      const ids = objects.map(({ id }) => id);
      const lacks = await lacksOf(context, teamId, entity, ids);
      return objects.flatMap(({ id, document }) => {
        const Missing = lacks.get(id);
        return Missing ? [{ Id: id, Name: String(document.Name ?? ''), Missing }] : [];
      });
    },
});
