import { dayOf } from '../exchange/limits/day-line.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import { minutesAtAddress, minutesFor, type Promised, type PromisedIn } from '../exchange/limits/promised.ts';
import { isOfViewers } from '../exchange/limits/viewer-limits.ts';
import {
  keptMinutes,
  type ViewerBounds,
  type ViewerRule,
  viewerRules,
} from '../exchange/limits/viewer-rules.ts';
import type { Refusal } from '../exchange/reasons.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import { type CountedKey, viewerText } from '../exchange/viewer-hash.ts';
import {
  createViewerImpressions,
  type Place,
  type PlaceAnswer,
  type ViewerImpressionsOptions,
} from '../valkey/viewer-impressions.ts';

export interface SharedViewerCounts {
  readonly limits: Limits;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** After its day: an ad may be shown late, and what was shown may wait for the server. */
const spareMs = hourMs;

/** IPv6 by its /64. */
function keyText(key: CountedKey): string {
  const { version, bytes } = key;
  if (version === 0) return viewerText(key);
  if (version === 4) return bytes.join('.');
  const parts = Array.from({ length: 4 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  return `${parts.join(':')}::`;
}

/** By address on a day. */
const nameOf = ({ kind, id }: Pick<Limited, 'kind' | 'id'>, key: CountedKey, timeMs: number) =>
  key.version === 0 ? `${kind} ${id} ${keyText(key)}` : `${dayOf(timeMs)} ${kind} ${id} ${keyText(key)}`;

/** An impression that comes in the last moment takes seconds to be durable. */
const endOfPromiseMs = ({ timeMs, to }: PromisedIn) =>
  timeMs + (Math.min(minutesAtAddress, minutesFor[to]) + 1) * minuteMs;

const secondsOf = (ms: number) => Math.ceil((ms + spareMs) / 1000);

/** How long what is shown counts. */
const keptSecondsOf = (bounds: ViewerBounds, timeMs: number) =>
  secondsOf(bounds.windowMinutes > 0 ? keptMinutes(bounds) * minuteMs : dayMs - (timeMs % dayMs));

interface Asked {
  readonly object: Limited;
  readonly rule: ViewerRule;
  readonly bounds: ViewerBounds;
  readonly key: CountedKey;
  readonly place: Place;
}

/** What an object's ads are counted by in the region. */
function askedOf(object: Limited, auction: PromisedIn): Asked[] {
  if (!isOfViewers(object.limits)) return [];
  return viewerRules.flatMap((rule) => {
    const bounds = rule.bounds(object.limits);
    const viewer = bounds && rule.viewer(object.limits, bounds, auction);
    if (!bounds || !viewer) return [];
    const place = {
      name: nameOf(object, viewer.now, auction.timeMs),
      before: viewer.before && nameOf(object, viewer.before, auction.timeMs),
      limit: bounds.limit,
      windowMs: bounds.windowMinutes === 0 ? 0 : keptMinutes(bounds) * minuteMs,
      minMs: bounds.minMinutes * minuteMs,
    };
    return [{ object, rule, bounds, key: viewer.now, place }];
  });
}

function refusalOf({ object, rule, bounds }: Asked, { met, shown, lastMs }: PlaceAnswer, timeMs: number) {
  const { limit, minMinutes } = bounds;
  const isTooSoon = minMinutes > 0 && (met > shown || lastMs > timeMs - minMinutes * minuteMs);
  const isLast = isTooSoon && met < limit && met === shown;
  return rule.refusal(object, { met, isTooSoon, againMs: isLast ? lastMs + minMinutes * minuteMs : 0 });
}

/**
 * Limits whose impressions by viewer are those of a region. What they show is told ten times a second, as its promise
 * counts until then.
 */
export function shareViewerCounts(limits: Limits, shared: ViewerImpressionsOptions): SharedViewerCounts {
  const impressions = createViewerImpressions(shared);
  /** This process need not ask again for an address on this day. What is promised may still be withdrawn. */
  const learn = ({ object: { kind, id }, bounds, key }: Asked, { shown }: PlaceAnswer, timeMs: number) => {
    if (bounds.windowMinutes === 0 && shown >= bounds.limit)
      limits.raiseViewers([{ kind, id, viewer: key, timeMs, kept: 0, impressions: shown }]);
  };
  const ask = async (asked: readonly Asked[], auction: PromisedIn) => {
    const refusals = new Map<Limited, Refusal>();
    const { auctionId, timeMs } = auction;
    const untilMs = endOfPromiseMs(auction);
    try {
      const places = asked.map(({ place }) => place);
      const answers = await impressions.promise({ auctionId, timeMs, untilMs, places });
      for (const [index, one] of asked.entries()) {
        const answer = answers[index] as PlaceAnswer;
        if (answer.isPromised) continue;
        learn(one, answer, timeMs);
        if (!refusals.has(one.object)) refusals.set(one.object, refusalOf(one, answer, timeMs));
      }
    } catch {
      // As without it.
    }
    return refusals;
  };
  const withdraw = (promised: Promised, auction: PromisedIn) => {
    const { timeMs, auctionId } = auction;
    for (const rule of viewerRules) {
      const key = rule.promised(promised, auction);
      if (key) impressions.withdraw({ name: nameOf(promised, key, timeMs), auctionId });
    }
  };
  return {
    limits: {
      ...limits,
      askRegion(objects, auction) {
        if (!shared.connection.isUp()) return undefined;
        const asked = objects.flatMap((object) => askedOf(object, auction));
        return asked.length === 0 ? undefined : ask(asked, auction);
      },
      release(promised, auction, object) {
        limits.release(promised, auction, object);
        withdraw(promised, auction);
      },
      commit(object, promised, shown) {
        limits.commit(object, promised, shown);
        const { auction, nowMs } = shown;
        const { timeMs, auctionId } = auction;
        for (const rule of viewerRules) {
          const bounds = rule.bounds(object.limits);
          const key = bounds && rule.shown(promised ?? { isAtAddress: false }, auction);
          if (!key) continue;
          const impression = { name: nameOf(object, key, timeMs), auctionId };
          const shownMs = bounds.windowMinutes > 0 ? nowMs : undefined;
          impressions.show(impression, keptSecondsOf(bounds, timeMs), shownMs);
        }
      },
    },
    flush: impressions.flush,
    close: impressions.close,
  };
}
