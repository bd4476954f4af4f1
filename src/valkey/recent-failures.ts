import { hash } from 'node:crypto';
import { type ValkeyConnection, type ValkeyScript, valkeyPrefix, valkeyScript } from './connection.ts';

/** What has failed lately in a region, by name. */
export interface RecentFailures {
  /** How long the name of these must wait that failed too often, in milliseconds; 0 where the server does not tell. */
  waitMs(names: readonly string[]): Promise<number>;
  /** Counts a failure of each name; returns at once. */
  note(names: readonly string[]): void;
}

/** What recent failures work with. */
export interface RecentFailuresOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'isUp'>;
  readonly installation: string;
  /** So many failures of a name within this time are too many. */
  readonly failuresMax: number;
  readonly windowMs: number;
}

const waitMsMax = 250;
const timeOf = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, window = tonumber(ARGV[1]), tonumber(ARGV[2])
`;
/** Of each name the times of its last failures, the latest first. */
const noteScript = valkeyScript(`${timeOf}
for _, key in ipairs(KEYS) do
  redis.call('LPUSH', key, string.format('%.0f', now))
  redis.call('LTRIM', key, 0, most - 1)
  redis.call('PEXPIRE', key, window)
end
return 0
`);
const waitScript = valkeyScript(`${timeOf}
local wait = 0
for _, key in ipairs(KEYS) do
  local first = redis.call('LINDEX', key, most - 1)
  if first then wait = math.max(wait, first + window - now) end
end
return wait
`);

/** Failures on the server of a region. Names are kept as hashes: they are mail addresses and IP addresses. */
export function createRecentFailures(options: RecentFailuresOptions): RecentFailures {
  const { connection, installation, failuresMax, windowMs } = options;
  const prefix = valkeyPrefix(installation, 'failures');
  const run = (script: ValkeyScript, names: readonly string[]) => {
    const keys = names.map((name) => prefix + hash('sha256', `${installation}\n${name}`));
    return connection.run(script, keys, [String(failuresMax), String(windowMs)], waitMsMax);
  };
  return {
    async waitMs(names) {
      if (!connection.isUp()) return 0;
      return Number(await run(waitScript, names).catch(() => 0));
    },
    note(names) {
      if (connection.isUp()) run(noteScript, names).catch(() => undefined);
    },
  };
}
