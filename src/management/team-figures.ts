import { entities, entityOf } from '../entities/registry.ts';
import type { CounterName, ShownCounts } from '../reference/counters.ts';
import type { CubeName } from '../reference/cubes.ts';
import { type CacheAges, createAsyncCache } from '../shared/async-cache.ts';
import { dayOf } from '../statistics/days.ts';
import { figures } from '../statistics/figure-values.ts';
import { type FigureDay, figureDays, type KnownFigures } from './listed-figures.ts';
import {
  type RankedHealth,
  type HealthReading as Reading,
  readTeamHealth,
} from './statistics/team-health.ts';

/** A value as it was when it was read. */
interface Snapshot<Value> {
  /** Another one for each reading. */
  readonly version: number;
  readonly value: Value;
}

type DayFigures = ReadonlyMap<number, KnownFigures['days']>;

/** Of all objects of a team's kind, a few seconds old. */
export interface TeamFigures {
  /** Today and yesterday (UTC); without objects of no counts. */
  days(kind: string, teamId: number): Promise<Snapshot<DayFigures>>;
  health(kind: string, teamId: number): Promise<Snapshot<ReadonlyMap<number, RankedHealth>>>;
}

const dayAges = { freshMs: 2000, usableMs: 30_000, keysMax: 100 };
/** The threads are asked about every object. */
const healthAges = { freshMs: 5000, usableMs: 60_000, keysMax: 100 };
const rowsMax = 1_000_000;

const counters = [...new Set(figures.flatMap(([, { from }]) => from))] as readonly CounterName[];
const dayNames = Object.keys(figureDays) as FigureDay[];

/** The cube that counts a kind, the column of its IDs, and which rows are its own. */
function placeOf(kind: string) {
  const side = entityOf(kind).exchange?.side;
  if (side !== 'account') {
    const cube: CubeName = side === 'demand' ? 'demand' : 'supply';
    return {
      cube,
      column: `${cube}_id`,
      conditions: [{ columns: [`${cube}_kind`], values: [[kind]], isNot: false }],
    };
  }
  const owned = entities.find(({ owner }) => owner?.entity === kind)?.exchange?.side;
  const cube: CubeName = owned === 'demand' ? 'demand' : 'supply';
  return { cube, column: cube === 'demand' ? 'advertiser_id' : 'publisher_id', conditions: [] };
}

async function readDays({ store, now }: Reading, kind: string, teamId: number): Promise<DayFigures> {
  const today = dayOf(now());
  const { cube, column, conditions } = placeOf(kind);
  const ranges = dayNames.map((name, bucket) => {
    const from = today - figureDays[name];
    return { bucket, from, until: from + 1 };
  });
  const question = {
    teamId,
    cube,
    grain: 'day',
    ranges,
    columns: [column],
    counters,
    conditions,
    rowsMax,
  } as const;
  const found = new Map<number, Partial<Record<FigureDay, ShownCounts>>>();
  for await (const rows of store.statistics.ask(question)) {
    for (const [bucket = 0, id = 0, ...sums] of rows) {
      const known = found.get(Number(id)) ?? {};
      found.set(Number(id), known);
      const name = dayNames[Number(bucket)];
      const counts = Object.fromEntries(counters.map((counter, index) => [counter, Number(sums[index])]));
      if (name) known[name] = counts as unknown as ShownCounts;
    }
  }
  return found;
}

function createSnapshots<Value>(now: () => number, ages: CacheAges) {
  const snapshots = createAsyncCache<Snapshot<Value>>(now, ages);
  let version = 0;
  return (key: string, read: () => Promise<Value>) =>
    snapshots(key, async () => {
      const value = await read();
      version += 1;
      return { version, value };
    });
}

/** Shared by all requests. */
export function createTeamFigures(reading: Reading): TeamFigures {
  const days = createSnapshots<DayFigures>(reading.now, dayAges);
  const health = createSnapshots<ReadonlyMap<number, RankedHealth>>(reading.now, healthAges);
  return {
    // A new day has no figures yet: those of the last one must not be answered for it.
    days: (kind, teamId) =>
      days(`${kind}/${teamId}/${dayOf(reading.now())}`, () => readDays(reading, kind, teamId)),
    health: (kind, teamId) => health(`${kind}/${teamId}`, () => readTeamHealth(reading, kind, teamId)),
  };
}
