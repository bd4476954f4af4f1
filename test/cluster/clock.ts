import { writeFileSync } from 'node:fs';
import { queryOnce } from '../postgres/hard-stop.ts';

/** The time of all machines and of the database; a test sets it, and how far a machine is off. */
export interface ClusterClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The latest time that a machine's clock has shown by then, by which a limit's line may have been judged. */
  latest(timeMs: number): number;
  /** Sets a machine's clock, by its file; answers what sets it right again. */
  setOff(file: string, aheadMs: number): () => void;
  /** Writes the file of a machine that is not off. */
  add(file: string): void;
  /** Lets time pass at once, everywhere. */
  jump(ms: number): Promise<void>;
}

const dayMs = 86_400_000;
/** Lines of days grow fast in their first minutes, and no machine is so far behind that it has another day. */
const beginsMs = 120_000;

/** Statements see this time, as they name no schema. */
const shiftedClock = `
  create schema test_clock;
  create table test_clock.shift (seconds float8 not null);
  insert into test_clock.shift values (0);
  create function test_clock.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + make_interval(secs => (select seconds from test_clock.shift))'`;

export async function startClock(databaseUrl: string): Promise<ClusterClock> {
  let shiftMs = Math.ceil(Date.now() / dayMs) * dayMs + beginsMs - Date.now();
  const aheadOf = new Map<string, number>();
  const periods: { readonly fromMs: number; untilMs: number; readonly aheadMs: number }[] = [];
  const now = () => Date.now() + shiftMs;
  const write = (file: string) => writeFileSync(file, String(shiftMs + (aheadOf.get(file) ?? 0)));
  const shiftDatabase = () =>
    queryOnce(databaseUrl, `update test_clock.shift set seconds = ${shiftMs / 1000}`);
  const set = (file: string, aheadMs: number) => {
    aheadOf.set(file, aheadMs);
    write(file);
  };
  await queryOnce(databaseUrl, shiftedClock);
  const name = new URL(databaseUrl).pathname.slice(1);
  await queryOnce(databaseUrl, `alter database ${name} set search_path = public, test_clock, pg_catalog`);
  await shiftDatabase();
  return {
    now,
    latest: (timeMs) =>
      periods.reduce(
        (latest, { fromMs, untilMs, aheadMs }) =>
          timeMs < fromMs ? latest : Math.max(latest, Math.min(timeMs, untilMs) + aheadMs),
        timeMs,
      ),
    add: (file) => set(file, 0),
    setOff(file, aheadMs) {
      const period = { fromMs: now(), untilMs: Number.POSITIVE_INFINITY, aheadMs };
      periods.push(period);
      set(file, aheadMs);
      return () => {
        set(file, 0);
        period.untilMs = now() + 1000;
      };
    },
    async jump(ms) {
      shiftMs += ms;
      for (const file of aheadOf.keys()) write(file);
      await shiftDatabase();
    },
  };
}
