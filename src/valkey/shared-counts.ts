import { createTimedWork } from '../shared/timed-work.ts';
import { type ValkeyConnection, valkeyPrefix, valkeyScript } from './connection.ts';

/** By all processes, and by this one. */
export interface SharedTotal {
  readonly name: string;
  readonly total: number;
  /** Of `total`. */
  readonly own: number;
}

/** In groups, for all processes of a region. */
export interface SharedCounts {
  /** With the next batch. Returns at once. */
  add(group: string, name: string, count: number): void;
  /** Resolves when the batch is answered. */
  flush(): Promise<void>;
  /** Sends what waits. */
  close(): Promise<void>;
}

export interface SharedCountsOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'isUp'>;
  readonly installation: string;
  /** In a word. */
  readonly use: string;
  /** After a group was last added to. */
  readonly keptSeconds: number;
  /** Whose own counts are told apart. */
  readonly process: string;
  readonly onTotals: (group: string, totals: readonly SharedTotal[]) => void;
}

const flushEveryMs = 100;
const batchMax = 500;
const waitingMax = 20_000;

const addScript = valkeyScript(`
local answer = {}
for index = 2, #ARGV, 2 do
  local name, count = ARGV[index], ARGV[index + 1]
  for _, key in ipairs(KEYS) do answer[#answer + 1] = redis.call('HINCRBY', key, name, count) end
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[1]) end
return answer
`);

/**
 * On the region's server, in batches ten times a second. An unanswered batch is not repeated, because it may have
 * counted. While the server is away counts wait, up to a bound.
 */
export function createSharedCounts(options: SharedCountsOptions): SharedCounts {
  const { connection, installation, use, keptSeconds, process, onTotals } = options;
  const prefix = valkeyPrefix(installation, use);
  const groups = new Map<string, Map<string, number>>();
  let waiting = 0;
  const keysOf = (group: string) => [`${prefix}${group}`, `${prefix}${group}:${process}`];
  const take = (): readonly [group: string, rows: readonly (readonly [string, number])[]] | undefined => {
    const [next] = groups;
    if (!next) return undefined;
    const [group, counts] = next;
    const rows = [...counts].slice(0, batchMax);
    for (const [name] of rows) counts.delete(name);
    if (counts.size === 0) groups.delete(group);
    waiting -= rows.length;
    return [group, rows];
  };
  const send = async (group: string, rows: readonly (readonly [string, number])[]) => {
    const keys = keysOf(group);
    const words = rows.flatMap(([name, count]) => [name, String(count)]);
    const sums = (await connection.run(addScript, keys, [String(keptSeconds), ...words])) as number[];
    const totals = rows.map(([name], index) => {
      const [total = 0, own = 0] = sums.slice(index * keys.length, (index + 1) * keys.length);
      return { name, total, own };
    });
    onTotals(group, totals);
  };
  const sendAll = async () => {
    for (let rounds = Math.ceil(waitingMax / batchMax); rounds > 0 && connection.isUp(); rounds -= 1) {
      const batch = take();
      if (!batch) return;
      await send(...batch).catch(() => undefined);
    }
  };
  const flushing = createTimedWork(flushEveryMs, sendAll);
  flushing.start();
  return {
    add(group, name, count) {
      const counts = groups.get(group) ?? new Map<string, number>();
      const before = counts.get(name);
      if (before === undefined) {
        if (waiting >= waitingMax) return;
        waiting += 1;
      }
      counts.set(name, (before ?? 0) + count);
      groups.set(group, counts);
    },
    flush: flushing.run,
    async close() {
      await flushing.close();
      await sendAll();
    },
  };
}
