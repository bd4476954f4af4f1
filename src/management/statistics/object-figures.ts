import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { exchangeKindNames, listKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { readRetention } from './answer-report.ts';
import { compareObjects } from './compared-figures.ts';
import { comparisonExample, comparisonMembers } from './figures-schema.ts';
import { idsParameter } from './ids-parameter.ts';

export const figuresTag: Tag = {
  name: 'Figures',
  description: 'What was counted today, and how it compares. Days and hours are UTC.',
};

/** Each is looked for in the intervals of three days. */
const idsMax = 500;

const kinds: readonly string[] = exchangeKindNames.filter(
  (key) => !listKindNames.some((list) => list === key),
);

const tooMany = `Ids: at most ${idsMax} IDs`;

export const getFigures = defineEndpoint({
  method: 'GET',
  path: '/api/figures/get',
  name: 'getFigures',
  tag: figuresTag,
  summary: "Fetch today's figures of objects",
  description: `For each object, what was counted today, yesterday and a week ago until the same moment, as in reports, and in all of yesterday, with the requests of the last 24 hours; for publishers and advertisers, what was counted while they owned it. At most ${idsMax} objects. Days and hours are UTC; of the quarter hour that holds the moment, other days count the share that has passed. Figures are one or two seconds old.`,
  access: reader,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the objects',
        schema: { type: 'string', enum: kinds },
        example: 'VastTag',
        check: (value) =>
          kinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind with figures${suggestion(value, kinds)}; possible values: ${kinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Ids: idsParameter(idsMax),
  },
  returns: {
    description: 'The figures, in the order of Ids, or by ID if Ids is absent',
    schema: Type.Array(
      closedObject({ Id: Type.Integer({ description: 'ID of the object' }), ...comparisonMembers }),
    ),
    example: () => [{ Id: 1, ...comparisonExample }],
  },
  serve(context) {
    const { store } = context;
    return async ({ caller, parameters: { Entity = '', Ids } }) => {
      const entity = entityOf(Entity);
      const filter = Ids ? { ids: Ids } : {};
      const found = await store.page(entity, caller.teamId, filter, idsMax + 1, []);
      if (found.length > idsMax) {
        const Message = `is required if there are more than ${idsMax} objects; send ${tooMany}`;
        throw invalid([{ Path: 'Ids', Code: 'required', Message }]);
      }
      const known = new Set(found.map(({ id }) => id));
      const faults = (Ids ?? []).flatMap((id) =>
        known.has(id) ? [] : [`${entity.title} ${id} is not found`],
      );
      if (faults.length > 0) {
        throw invalid(faults.map((Message) => ({ Path: 'Ids', Code: 'not_found', Message })));
      }
      const ids = Ids ?? [...known];
      const asked = { teamId: caller.teamId, kind: entity.key, ids };
      const figures = await compareObjects(store.statistics, await readRetention(context), asked);
      return ids.flatMap((Id) => {
        const comparison = figures.get(Id);
        return comparison ? [{ Id, ...comparison }] : [];
      });
    };
  },
});
