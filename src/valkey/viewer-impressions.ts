import { createTimedWork } from '../shared/timed-work.ts';
import { type ValkeyConnection, valkeyPrefix, valkeyScript } from './connection.ts';

/** Of an object at an address on a UTC day, or to a viewer, by the auction. */
export interface ViewerImpression {
  /** Day, object and address; or object and hash. */
  readonly name: string;
  readonly auctionId: string;
}

/** Where impressions count together. */
export interface Place {
  readonly name: string;
  /** Under which earlier ones of the same viewer count, too. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** For how long what was shown counts; 0 = as long as the name. */
  readonly windowMs: number;
  readonly minMs: number;
}

export interface PromiseAsked {
  readonly auctionId: string;
  readonly timeMs: number;
  /** When the promise ends if the ad is not shown. */
  readonly untilMs: number;
  readonly places: readonly Place[];
}

export interface PlaceAnswer {
  readonly isPromised: boolean;
  /** Shown and promised, this one included. */
  readonly met: number;
  readonly shown: number;
  /** Of a viewer, the last one; 0 = there is none. */
  readonly lastMs: number;
}

/** Of all processes of a region. Each step is idempotent. */
export interface ViewerImpressions {
  /** By place; rejects if the server does not answer in time. */
  promise(asked: PromiseAsked): Promise<readonly PlaceAnswer[]>;
  /** With the next batch; kept for `keptSeconds` then. `shownMs`: of a viewer. Returns at once. */
  show(impression: ViewerImpression, keptSeconds: number, shownMs?: number): void;
  /** With the next batch: it will not be shown. */
  withdraw(impression: ViewerImpression): void;
  /** Resolves when what waits is answered, or the server is away. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ViewerImpressionsOptions {
  readonly connection: Pick<ValkeyConnection, 'run' | 'isUp'>;
  readonly installation: string;
}

const waitMs = 100;
const flushEveryMs = 100;
const batchMax = 500;
const waitingMax = 20_000;
const spareSeconds = 60;

/**
 * A place is a sorted set of auctions: promised ones by when that ends, shown ones at infinity, or of a viewer by the
 * time before 0, so that the last one is first.
 */
const promiseScript = valkeyScript(`
local auction, nowMs, untilMs, keptS = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local answer, place = {}, 0
local function count(key, windowMs)
  redis.call('ZREMRANGEBYSCORE', key, '0', '(' .. ARGV[2])
  if windowMs > 0 then redis.call('ZREMRANGEBYSCORE', key, windowMs - nowMs, '(0') end
  local last = redis.call('ZRANGEBYSCORE', key, '-inf', '(0', 'WITHSCORES', 'LIMIT', 0, 1)
  local shown = redis.call('ZCOUNT', key, '+inf', '+inf') + redis.call('ZCOUNT', key, '-inf', '(0')
  return redis.call('ZCARD', key), shown, -tonumber(last[2] or '0')
end
while place < #KEYS do
  local at = 4 + 3 * place / 2
  local key, before, limit = KEYS[place + 1], KEYS[place + 2], tonumber(ARGV[at + 1])
  local windowMs, minMs = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local met, shown, last = count(key, windowMs)
  if before ~= key then
    local metBefore, shownBefore, lastBefore = count(before, windowMs)
    met, shown, last = met + metBefore, shown + shownBefore, math.max(last, lastBefore)
  end
  local promised = 1
  if not redis.call('ZSCORE', key, auction) then
    local isTooSoon = minMs > 0 and (met > shown or last > nowMs - minMs)
    if met < limit and not isTooSoon then
      redis.call('ZADD', key, untilMs, auction)
      met = met + 1
      if redis.call('TTL', key) < keptS then redis.call('EXPIRE', key, keptS) end
    else promised = 0 end
  end
  answer[#answer + 1] = promised
  answer[#answer + 1] = met
  answer[#answer + 1] = shown
  answer[#answer + 1] = last
  place = place + 2
end
return answer
`);
const endScript = valkeyScript(`
for index, key in ipairs(KEYS) do
  local auction, keptS, score = ARGV[3 * index - 2], tonumber(ARGV[3 * index - 1]), ARGV[3 * index]
  if keptS > 0 then
    redis.call('ZADD', key, score, auction)
    if redis.call('TTL', key) < keptS then redis.call('EXPIRE', key, keptS) end
  else
    local found = redis.call('ZSCORE', key, auction)
    if found and found ~= 'inf' and tonumber(found) > 0 then redis.call('ZREM', key, auction) end
  end
end
return 0
`);

interface Ended {
  readonly keptSeconds: number;
  readonly score: string;
}

/** While the server is away, what was shown or withdrawn waits, up to a bound. */
export function createViewerImpressions({
  connection,
  installation,
}: ViewerImpressionsOptions): ViewerImpressions {
  const prefix = valkeyPrefix(installation, 'addresses');
  const waiting = new Map<string, ViewerImpression & Ended>();
  const end = (impression: ViewerImpression, keptSeconds: number, shownMs?: number) => {
    const key = `${impression.auctionId} ${impression.name}`;
    const score = shownMs === undefined ? '+inf' : String(-shownMs);
    if (waiting.size < waitingMax || waiting.has(key))
      waiting.set(key, { ...impression, keptSeconds, score });
  };
  const sendBatch = async () => {
    const batch = waiting.entries().take(batchMax).toArray();
    const keys = batch.map(([, { name }]) => prefix + name);
    const words = batch.flatMap(([, { auctionId, keptSeconds, score }]) => [
      auctionId,
      String(keptSeconds),
      score,
    ]);
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
      const keys = places.flatMap(({ name, before = name }) => [prefix + name, prefix + before]);
      const bounds = places.flatMap(({ limit, windowMs, minMs }) => [
        Math.min(limit, Number.MAX_SAFE_INTEGER),
        windowMs,
        minMs,
      ]);
      const words = [auctionId, timeMs, untilMs, keptSeconds, ...bounds].map(String);
      const answer = (await connection.run(promiseScript, keys, words, waitMs)) as number[];
      return places.map((_, index) => {
        const [promised, met = 0, shown = 0, lastMs = 0] = answer.slice(4 * index, 4 * index + 4);
        return { isPromised: promised === 1, met, shown, lastMs };
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
