import type { Exchange } from '../exchange/exchange.ts';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import { weekShapes } from '../statistics/week-shapes.ts';
import type { Store } from '../store/interface.ts';

export interface DealTrafficOptions {
  readonly store: Pick<Store, 'statistics'>;
  readonly deals: Exchange['deals'];
  readonly now: () => number;
}

const firstMs = 5000;
const everyMs = 600_000;

/** Guaranteed deals follow the traffic of the week before. */
export function startDealTraffic({ store: { statistics }, deals, now }: DealTrafficOptions): TimedWork {
  const work = createTimedWork(everyMs, async () => {
    const planned = [...deals()].filter(({ plan, isActive }) => plan !== undefined && isActive);
    if (planned.length === 0) return;
    const ids = planned.map(({ id }) => id);
    const shapes = await weekShapes(statistics, ids, now());
    for (const deal of planned) deal.follow(shapes.get(deal.id));
  });
  work.start(firstMs);
  return work;
}
