import { createTimedWork } from '../shared/timed-work.ts';
import { type ValkeyConnection, valkeyPrefix, valkeyScript } from './connection.ts';

/** Of an object at an address on a UTC day, by the auction. */
export interface AddressImpression {
  /** Day, object and address. */
  readonly name: string;
  readonly auctionId: string;
}

export interface PromiseAsked {
  readonly auctionId: string;
  readonly timeMs: number;
  /** When the promise ends if the ad is not shown. */
  readonly untilMs: number;
  readonly places: readonly { readonly name: string; readonly limit: number }[];
}

export interface PlaceAnswer {
  readonly isPromised: boolean;
  /** Shown and promised, this one included. */
  readonly met: number;
  readonly shown: number;
}

/** Of all processes of a region. Each step is idempotent. */
export interface AddressImpressions {
  /** By place; rejects if the server does not answer in time. */
  promise(asked: PromiseAsked): Promise<readonly PlaceAnswer[]>;
  /** With the next batch; kept for `keptSeconds` then. Returns at once. */
  show(impression: AddressImpression, keptSeconds: number): void;
  /** With the next batch: it will not be shown. */
  withdraw(impression: AddressImpression): void;
  /** Resolves when what waits is answered, or the server is away. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AddressImpressionsOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'isUp'>;
  readonly installation: string;
}

const waitMs = 100;
const flushEveryMs = 100;
const batchMax = 500;
const waitingMax = 20_000;
const spareSeconds = 60;

/** A place is a sorted set of auctions by when their promises end: shown ones never do. */
const promiseScript = valkeyScript(`
local auction, nowMs, untilMs, keptS = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local answer = {}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. nowMs)
  local met, promised = redis.call('ZCARD', key), 1
  if not redis.call('ZSCORE', key, auction) then
    if met < tonumber(ARGV[4 + index]) then
      redis.call('ZADD', key, untilMs, auction)
      met = met + 1
      if redis.call('TTL', key) < keptS then redis.call('EXPIRE', key, keptS) end
    else promised = 0 end
  end
  answer[#answer + 1] = promised
  answer[#answer + 1] = met
  answer[#answer + 1] = redis.call('ZCOUNT', key, '+inf', '+inf')
end
return answer
`);
const endScript = valkeyScript(`
for index, key in ipairs(KEYS) do
  local auction, keptS = ARGV[2 * index - 1], tonumber(ARGV[2 * index])
  if keptS > 0 then
    redis.call('ZADD', key, '+inf', auction)
    if redis.call('TTL', key) < keptS then redis.call('EXPIRE', key, keptS) end
  elseif redis.call('ZSCORE', key, auction) ~= 'inf' then redis.call('ZREM', key, auction) end
end
return 0
`);

/** While the server is away, what was shown or withdrawn waits, up to a bound. */
export function createAddressImpressions({
  connection,
  installation,
}: AddressImpressionsOptions): AddressImpressions {
  const prefix = valkeyPrefix(installation, 'addresses');
  const waiting = new Map<string, AddressImpression & { readonly keptSeconds: number }>();
  const end = (impression: AddressImpression, keptSeconds: number) => {
    const key = `${impression.auctionId} ${impression.name}`;
    if (waiting.size < waitingMax || waiting.has(key)) waiting.set(key, { ...impression, keptSeconds });
  };
  const sendBatch = async () => {
    const batch = waiting.entries().take(batchMax).toArray();
    const keys = batch.map(([, { name }]) => prefix + name);
    const words = batch.flatMap(([, { auctionId, keptSeconds }]) => [auctionId, String(keptSeconds)]);
    await connection.run(endScript, keys, words);
    for (const [key, ended] of batch) if (waiting.get(key) === ended) waiting.delete(key);
  };
  const sendAll = async () => {
    while (waiting.size > 0 && connection.isUp()) await sendBatch();
  };
  const flushing = createTimedWork(flushEveryMs, sendAll);
  flushing.start();
  return {
    async promise({ auctionId, timeMs, untilMs, places }) {
      const keptSeconds = Math.ceil((untilMs - timeMs) / 1000) + spareSeconds;
      const keys = places.map(({ name }) => prefix + name);
      const words = [auctionId, timeMs, untilMs, keptSeconds, ...places.map(({ limit }) => limit)].map(
        String,
      );
      const answer = (await connection.run(promiseScript, keys, words, waitMs)) as number[];
      return places.map((_, index) => {
        const [promised, met = 0, shown = 0] = answer.slice(3 * index, 3 * index + 3);
        return { isPromised: promised === 1, met, shown };
      });
    },
    show: end,
    withdraw: (impression) => end(impression, 0),
    flush: flushing.run,
    async close() {
      await flushing.close();
      await sendAll().catch(() => undefined);
    },
  };
}
