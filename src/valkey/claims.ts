import type { Claim, Claims } from '../statistics/claims.ts';
import { type ValkeyConnection, type ValkeyScript, valkeyPrefix, valkeyScript } from './connection.ts';

export interface ValkeyClaimsOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'isUp'>;
  readonly installation: string;
  readonly now: () => number;
}

const waitMs = 250;

/** An auction is one key: of each name the event that has it. */
const claimScript = valkeyScript(`
local event, keptMs = ARGV[1], tonumber(ARGV[2])
local names = { unpack(ARGV, 3) }
for _, holder in ipairs(redis.call('HMGET', KEYS[1], unpack(names))) do
  if holder then return 0 end
end
for _, name in ipairs(names) do redis.call('HSET', KEYS[1], name, event) end
if redis.call('PTTL', KEYS[1]) < keptMs then redis.call('PEXPIRE', KEYS[1], keptMs) end
return 1
`);
const giveBackScript = valkeyScript(`
for index = 2, #ARGV do
  if redis.call('HGET', KEYS[1], ARGV[index]) == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[index]) end
end
return 0
`);

/** Shared by a region's machines. While Valkey is away, events count as first by this process alone: nothing waits. */
export function createValkeyClaims({ connection, installation, now }: ValkeyClaimsOptions): Claims {
  const prefix = valkeyPrefix(installation, 'claims');
  const run = (script: ValkeyScript, { auctionId, event }: Claim, words: readonly string[]) =>
    connection.run(script, [`${prefix}${auctionId}`], [event, ...words], waitMs);
  return {
    async claim(claim) {
      const keptMs = Math.ceil(claim.expiresMs - now());
      if (keptMs <= 0 || !connection.isUp()) return true;
      try {
        return (await run(claimScript, claim, [String(keptMs), ...claim.names])) !== 0;
      } catch {
        return true;
      }
    },
    giveBack(claim) {
      if (connection.isUp()) run(giveBackScript, claim, claim.names).catch(() => undefined);
    },
  };
}
