import { Type } from 'typebox';
import { healthSchema } from '../../answers/object-health.ts';
import { closedObject, oneOf } from '../../answers/wire-schema.ts';
import { entityOf } from '../../entities/registry.ts';
import { type HealthState, healthAttention, healthStateNames } from '../../reference/health-states.ts';
import { createAsyncCache } from '../../shared/async-cache.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { suggestion } from '../input/validation.ts';
import { objectKey, readLostRevenue } from './lost-revenue.ts';
import { describeHealth, healthExample, healthKinds, healthTag } from './object-health.ts';
import { compareHealth, type RankedHealth } from './team-health.ts';

const sides = ['demand', 'supply'] as const;
const lostAges = { freshMs: 15_000, usableMs: 120_000, keysMax: 200 };
const limitDefault = 50;
const limitMax = 500;
const queryMax = 256;

const oneOfWords = (words: readonly string[], help: string) =>
  text({
    help,
    schema: { type: 'string', enum: [...words] },
    example: words[0] ?? '',
    check: (value) =>
      words.includes(value)
        ? undefined
        : {
            Code: 'out_of_range',
            Message: `must be one of ${words.join(', ')}${suggestion(value, [...words])}`,
          },
  });

const kindsOf = (side: string) => healthKinds.filter((kind) => entityOf(kind).exchange?.side === side);

async function rankedOf(
  { teamFigures }: Pick<Context, 'teamFigures'>,
  kinds: readonly string[],
  teamId: number,
) {
  const known = await Promise.all(kinds.map((kind) => teamFigures.health(kind, teamId)));
  return known.flatMap(({ value }) => [...value.values()]);
}

const countedStates = (rows: readonly RankedHealth[]) => {
  const counts = new Map<HealthState, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  return healthStateNames.map((State) => ({ State, Objects: counts.get(State) ?? 0 }));
};

/** USD that an object earned until this time yesterday, and not today. */
type LostOf = (row: RankedHealth) => number;

/** Active objects that somebody should look at: what lost most first, then the worst. */
function needingAttention(rows: readonly RankedHealth[], lostOf: LostOf): readonly RankedHealth[] {
  const isNeeding = (row: RankedHealth) =>
    ({ always: true, never: false, lost: lostOf(row) > 0 })[healthAttention[row.state]];
  return rows
    .filter(isNeeding)
    .sort((one, other) => lostOf(other) - lostOf(one) || compareHealth(one, other));
}

/** Shared by all requests of a team. */
function lostRevenue(context: Context) {
  const cache = createAsyncCache<ReadonlyMap<string, number>>(context.now, lostAges);
  return async (teamId: number, asked: readonly string[]): Promise<LostOf> => {
    const known = await Promise.all(
      asked.map((side) => cache(`${side}/${teamId}`, () => readLostRevenue(context, kindsOf(side), teamId))),
    );
    return ({ kind, id }) => {
      const key = objectKey(kind, id);
      return known.reduce((lost, one) => lost + (one.get(key) ?? 0), 0);
    };
  };
}

/** In the order of the rows; those that have gone meanwhile are left out. */
async function describe(
  context: Context,
  teamId: number,
  rows: readonly RankedHealth[],
  lostOf: LostOf | undefined,
) {
  const found = new Map<string, object>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const ids = ofKind.map(({ id }) => id);
    const objects = await context.store.page(entityOf(kind), teamId, { ids }, ids.length, ['Name']);
    for (const health of await describeHealth(context, { teamId, kind, objects }))
      found.set(objectKey(kind, health.Id), { Entity: kind, ...health });
  }
  return rows.flatMap((row) => {
    const described = found.get(objectKey(row.kind, row.id));
    return described ? [lostOf ? { ...described, Lost: lostOf(row) } : described] : [];
  });
}

const [firstState = 'ok', ...otherStates] = healthStateNames;

export const listHealth = defineEndpoint({
  method: 'GET',
  path: '/api/health/list',
  name: 'listHealth',
  tag: healthTag,
  summary: 'List objects by their health',
  description:
    'The health of all supply or demand objects, worst first: by state, by the share of calls or requests that went wrong, by traffic, by name. With `Attention`, first by what they lost. The header `Bourse-Total` is the number of objects that match. States, order and counts are a few seconds old.',
  access: reader,
  parameters: {
    Side: oneOfWords(sides, 'Which side of the exchange; absent = both'),
    Attention: number({
      help: '1 = only objects that somebody should look at: not ready, paused, with a warning, or idle though they earned until this time yesterday; what lost most first',
      max: 1,
    }),
    State: oneOfWords(healthStateNames, 'Only objects in this state'),
    Query: text({
      help: 'Only objects whose name contains this text, ignoring case',
      schema: { type: 'string', maxLength: queryMax },
      example: 'example',
      check: (value) =>
        value.length > queryMax
          ? { Code: 'too_long', Message: `must have at most ${queryMax} characters` }
          : undefined,
    }),
    Limit: number({
      help: `Maximum number of objects, up to ${limitMax}; 0 or absent = ${limitDefault}`,
      max: limitMax,
    }),
    Offset: number({ help: 'How many of the worst to leave out, to read the next page', max: 10_000_000 }),
  },
  returns: {
    description: 'How many objects are in each state, and the objects',
    schema: closedObject({
      States: Type.Array(
        closedObject({
          State: oneOf([firstState, ...otherStates], 'The state'),
          Objects: Type.Integer({ description: 'How many objects that match `Query` are in it' }),
        }),
        { description: 'All states, the worst first' },
      ),
      Total: Type.Integer({ description: 'How many objects match, on all pages' }),
      Objects: Type.Array(
        Type.Object(
          {
            Entity: Type.String({ description: 'Kind of the object' }),
            ...(healthSchema as unknown as { readonly properties: Readonly<Record<string, never>> })
              .properties,
            Lost: Type.Optional(
              Type.Number({
                description:
                  'With `Attention`: USD of Revenue until this time yesterday, beyond that of today; 0 if there is none',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'Those of this page, the worst first' },
      ),
    }),
    example: () => ({
      States: [{ State: 'warning' as const, Objects: 1 }],
      Total: 1,
      Objects: [{ Entity: 'DspRtbEp', ...healthExample }],
    }),
  },
  serve: (context) => {
    const readLost = lostRevenue(context);
    return async ({
      caller: { teamId },
      parameters: { Side, Attention, State, Query = '', Limit, Offset = 0 },
    }) => {
      const wanted = Query.toLowerCase();
      const asked = Side === undefined ? sides : [Side];
      const all = await rankedOf(context, asked.flatMap(kindsOf), teamId);
      const named = wanted === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
      const inState = State === undefined ? named : named.filter(({ state }) => state === State);
      const lostOf = Attention === 1 ? await readLost(teamId, asked) : undefined;
      const found = lostOf ? needingAttention(inState, lostOf) : inState.toSorted(compareHealth);
      const page = found.slice(Offset, Offset + (Limit || limitDefault));
      return {
        body: JSON.stringify({
          States: countedStates(named),
          Total: found.length,
          Objects: await describe(context, teamId, page, lostOf),
        }),
      };
    };
  },
});
