import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { servedKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { noCounts } from '../../reference/counters.ts';
import {
  type ComparisonPlan,
  type CountedHour,
  planComparison,
  timeOfHour,
} from '../../statistics/comparison.ts';
import { type FigureValues, figureValues } from '../../statistics/figure-values.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { comparisonExample, comparisonMembers, measureMembers } from './figures-schema.ts';
import { figuresOf, figuresTag } from './object-figures.ts';
import { createTtlCache } from './ttl-cache.ts';

/** Per kind: looked at for moves, and shown in either direction. */
const lookedAt = 50;
const shownMax = 5;

const hoursPerDay = 24;
/** Trackers are valid for an hour, so older hours hardly change. */
const settledAfterHours = 2;
const settledForMs = 600_000;
const openForMs = 5000;
const movesForMs = 30_000;
/** Two hundred teams' three days. */
const hoursKeptMax = 15_000;

interface Move {
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly Today: FigureValues;
  readonly SameHoursYesterday: FigureValues;
}

const changeOf = ({ Today, SameHoursYesterday: before }: Move) =>
  Today.Revenue - before.Revenue || (Today.Requests - before.Requests) / 1e12;

async function movesOf(store: Store, teamId: number, plan: ComparisonPlan): Promise<readonly Move[]> {
  const moves: Move[] = [];
  const range = { fromDay: plan.day - 1, toDay: plan.day, limit: lookedAt };
  for (const kind of servedKindNames) {
    const ids = await store.statistics.busiest(kind, teamId, range);
    if (ids.length === 0) continue;
    const figures = await figuresOf(store.statistics, kind, ids, plan);
    for (const { id: Id, document } of await store.reads(teamId).documents(entityOf(kind), ids)) {
      const found = figures.get(Id);
      if (!found) continue;
      const { Today, SameHoursYesterday } = found;
      moves.push({ Entity: kind, Id, Name: String(document.Name), Today, SameHoursYesterday });
    }
  }
  return moves.sort((one, other) => changeOf(other) - changeOf(one));
}

/** Settled hours are read again only after minutes. */
function createHours({ store, now }: Pick<Context, 'store' | 'now'>) {
  const kept = createTtlCache<CountedHour>(now, hoursKeptMax);
  return async (teamId: number, { days, hour: last }: ComparisonPlan): Promise<readonly CountedHour[]> => {
    const hours: CountedHour[] = [];
    for (const { fromDay, toDay } of days) {
      for (let hour = fromDay * hoursPerDay; hour < (toDay + 1) * hoursPerDay && hour <= last; hour += 1) {
        const forMs = hour < last - settledAfterHours ? settledForMs : openForMs;
        const read = async () => ({
          hour,
          counts: (await store.statistics.teamHour(teamId, hour)) ?? noCounts,
        });
        hours.push(await kept(`${teamId}/${hour}`, forMs, read));
      }
    }
    return hours;
  };
}

function hoursToday(hours: readonly CountedHour[], { hour: last, day }: ComparisonPlan) {
  const byHour = new Map(hours.map(({ hour, counts }) => [hour, figureValues(counts)]));
  const at = (hour: number) => byHour.get(hour) ?? figureValues(noCounts);
  return Array.from({ length: last - day * hoursPerDay + 1 }, (_, index) => {
    const hour = day * hoursPerDay + index;
    return { Hour: timeOfHour(hour), ...at(hour), Before: at(hour - hoursPerDay) };
  });
}

const moved = (description: string) =>
  Type.Array(
    closedObject({
      Entity: Type.String({ description: 'Kind of the object' }),
      Id: Type.Integer({ description: 'ID of the object' }),
      Name: Type.String({ description: 'Name of the object' }),
      Today: comparisonMembers.Today,
      SameHoursYesterday: comparisonMembers.SameHoursYesterday,
    }),
    { maxItems: shownMax, description },
  );

const { Today, SameHoursYesterday } = comparisonExample;

export const figuresOverview = defineEndpoint({
  method: 'GET',
  path: '/api/figures/overview',
  name: 'figuresOverview',
  tag: figuresTag,
  summary: "Fetch the team's figures of today",
  description: `What all of the team's supply counted today, and how it compares; today's hours, each with the same hour of yesterday; and the objects whose revenue changed most, among the ${lookedAt} of each kind with the most revenue today or yesterday. Days and hours are UTC; for the current hour, other days count only the share that has passed. Figures may be five seconds old, changes half a minute.`,
  access: reader,
  returns: {
    description: 'The figures',
    schema: closedObject({
      ...comparisonMembers,
      Hours: Type.Array(
        Type.Unsafe<FigureValues & { Hour: string; Before: FigureValues }>(
          closedObject({
            Hour: Type.String({ description: 'Start of the hour (UTC)' }),
            ...measureMembers,
            Before: comparisonMembers.Yesterday,
          }),
        ),
        { description: 'The hours of today so far; the last one has only begun' },
      ),
      Up: moved('The largest increases, largest first'),
      Down: moved('The largest decreases, largest first'),
    }),
    example: () => ({
      ...comparisonExample,
      Hours: [{ Hour: '2027-01-31T00:00:00.000Z', ...Today, Before: Today }],
      Up: [{ Entity: 'VastTag', Id: 1, Name: 'Homepage pre-roll', Today, SameHoursYesterday }],
      Down: [],
    }),
  },
  serve(context) {
    const { store, now } = context;
    const hoursOf = createHours(context);
    const moves = createTtlCache<readonly Move[]>(now, 1000);
    return async ({ caller: { teamId } }) => {
      const plan = planComparison(now());
      const hours = await hoursOf(teamId, plan);
      const all = await moves(String(teamId), movesForMs, () => movesOf(store, teamId, plan));
      return {
        ...plan.compare(hours),
        Hours: hoursToday(hours, plan),
        Up: all.filter((move) => changeOf(move) > 0).slice(0, shownMax),
        Down: all
          .filter((move) => changeOf(move) < 0)
          .slice(-shownMax)
          .toReversed(),
      };
    };
  },
});
