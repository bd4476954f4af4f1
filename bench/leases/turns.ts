import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../../test/support/migrated-database.ts';
import { limitedObjects, limitsOfProcess, turnsOf } from './process.ts';

const counts = [100, 1000, 10_000];
const turnsTaken = 12;
const turnMs = 1000;

/**
 * What a turn of a process takes that uses each of so many objects (with four limits each) once a second: to itself and
 * its connection, without PostgreSQL's own processes.
 */
export async function measureTurns(url: string): Promise<object[]> {
  const rows: object[] = [];
  for (const count of counts) {
    const authority = createPostgresAuthority({ url: await migratedPostgres(url) });
    const one = limitsOfProcess(true);
    const objects = limitedObjects(count);
    const turns = turnsOf(authority, one, objects);
    const [cpus, times]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turnsTaken; turn += 1) {
      const nowMs = Date.now();
      for (const object of objects) {
        one.limits.takeRequest(object, nowMs);
        one.limits.takeBid(object, nowMs);
        one.limits.reserve(object, { timeMs: nowMs, to: 'ad', ip: undefined, auctionId: '' }, 1_000_000);
      }
      const [begun, cpu] = [performance.now(), process.cpuUsage()];
      await turns.run();
      const { user, system } = process.cpuUsage(cpu);
      // The first turns begin to hold.
      if (turn > 3) cpus.push((user + system) / 1000);
      if (turn > 3) times.push(performance.now() - begun);
      await delay(Math.max(0, turnMs - (performance.now() - begun)));
    }
    await turns.leave();
    await authority.close();
    const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
    rows.push({
      objects: count,
      'limits used': 4 * count,
      'ms a turn': mean(times).toFixed(1),
      '% of a core': ((100 * mean(cpus)) / turnMs).toFixed(2),
    });
  }
  return rows;
}
