import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { exchangeKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import { type CountsIn, noCounts } from '../../reference/counters.ts';
import { dayOf } from '../../statistics/days.ts';
import { figureValues } from '../../statistics/figure-values.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { notFoundFault } from '../post-answer.ts';
import { comparisonExample, comparisonMembers } from './figures-schema.ts';
import { figuresTag } from './object-figures.ts';

/** They meet others in auctions. */
const kinds: readonly string[] = exchangeKindNames.filter((key) => {
  const side = entityOf(key).exchange?.side;
  return side === 'supply' || side === 'demand';
});

export const getPairFigures = defineEndpoint({
  method: 'GET',
  path: '/api/figures/pairs',
  name: 'getPairFigures',
  tag: figuresTag,
  summary: 'Fetch what an object counts with each object of the other side',
  description:
    'What a supply or demand object counted today and yesterday with each object of the other side that it met. Pairs that counted nothing are left out. Days are UTC; figures are one or two seconds old.',
  access: reader,
  parameters: {
    Entity: {
      ...text({
        help: 'Kind of the object',
        schema: { type: 'string', enum: kinds },
        example: 'VastTag',
        check: (value) =>
          kinds.includes(value)
            ? undefined
            : {
                Code: 'out_of_range',
                Message: `is not a kind of supply or demand${suggestion(value, kinds)}; possible values: ${kinds.join(', ')}`,
              },
      }),
      isRequired: true,
    },
    Id: { ...number({ help: 'ID of the object', max: intMax }), isRequired: true },
  },
  returns: {
    description: 'The pairs, in no particular order',
    schema: Type.Array(
      closedObject({
        Entity: Type.String({ description: 'Kind of the other object' }),
        Id: Type.Integer({ description: 'Its ID' }),
        Today: comparisonMembers.Today,
        Yesterday: comparisonMembers.Yesterday,
      }),
    ),
    example: () => [
      { Entity: 'DspRtbEp', Id: 1, Today: comparisonExample.Today, Yesterday: comparisonExample.Yesterday },
    ],
  },
  serve:
    ({ store, now }) =>
    async ({ caller, parameters: { Entity = '', Id = 0 } }) => {
      const entity = entityOf(Entity);
      const [found] = await store.page(entity, caller.teamId, { ids: [Id] }, 1, []);
      if (!found) throw invalid([{ ...notFoundFault(entity, Id), Path: 'Id' }]);
      const today = dayOf(now());
      const on = async (day: number) => {
        const rows = await store.statistics.pairs({ kind: Entity, id: Id }, day);
        return new Map(rows.map((row) => [`${row.kind}/${row.id}`, row]));
      };
      const [ofToday, ofYesterday] = [await on(today), await on(today - 1)];
      const met = new Map([...ofYesterday, ...ofToday]);
      const figures = (counts?: CountsIn<'pair'>) => figureValues(counts ?? noCounts);
      return [...met].map(([key, { kind, id }]) => ({
        Entity: kind,
        Id: id,
        Today: figures(ofToday.get(key)?.counts),
        Yesterday: figures(ofYesterday.get(key)?.counts),
      }));
    },
});
