import { hash } from 'node:crypto';
import { type ValkeyConnection, type ValkeyScript, valkeyPrefix, valkeyScript } from './connection.ts';

interface Count {
  readonly name: string;
  readonly limits: readonly { readonly failuresMax: number; readonly windowMs: number }[];
}

/** In a region, by name. */
export interface RecentFailures {
  /** Milliseconds to wait at a limit; 0 if the server does not say. */
  waitMs(count: Count): Promise<number>;
  /** Counts one for each name; returns at once. */
  note(counts: readonly Count[]): void;
  /** Returns at once. */
  forget(names: readonly string[]): void;
}

export interface RecentFailuresOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'send' | 'isUp'>;
  readonly installation: string;
}

const waitMsMax = 250;
const timeOf = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
/** Times of a name's last failures, the latest first. */
const noteScript = valkeyScript(`${timeOf}
local most, longest = 0, 0
for at = 1, #ARGV, 2 do
  most, longest = math.max(most, tonumber(ARGV[at])), math.max(longest, tonumber(ARGV[at + 1]))
end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, most - 1)
redis.call('PEXPIRE', KEYS[1], longest)
return 0
`);
const waitScript = valkeyScript(`${timeOf}
local wait = 0
for at = 1, #ARGV, 2 do
  local first = redis.call('LINDEX', KEYS[1], tonumber(ARGV[at]) - 1)
  if first then wait = math.max(wait, first + tonumber(ARGV[at + 1]) - now) end
end
return wait
`);

/** On the region's server. Names are hashed: they are mail and IP addresses. */
export function createRecentFailures({ connection, installation }: RecentFailuresOptions): RecentFailures {
  const prefix = valkeyPrefix(installation, 'failures');
  const keyOf = (name: string) => prefix + hash('sha256', `${installation}\n${name}`);
  const run = (script: ValkeyScript, { name, limits }: Count) => {
    const values = limits.flatMap(({ failuresMax, windowMs }) => [String(failuresMax), String(windowMs)]);
    return connection.run(script, [keyOf(name)], values, waitMsMax);
  };
  return {
    async waitMs(count) {
      if (!connection.isUp()) return 0;
      return Number(await run(waitScript, count).catch(() => 0));
    },
    note(counts) {
      if (!connection.isUp()) return;
      for (const count of counts) run(noteScript, count).catch(() => undefined);
    },
    forget(names) {
      if (!connection.isUp()) return;
      connection.send(['DEL', ...names.map(keyOf)], waitMsMax).catch(() => undefined);
    },
  };
}
