import { type CpmMicros, cpmMicrosOf } from '../money.ts';

/** The highest CPM that any field takes (decisions, "Values"): beyond it a price is a mistake. */
const cpmUsdMax = 1_000_000;

/** A price that a bidder named, in USD CPM; undefined where it is none: not a number, not above 0, or absurd. */
export function bidPrice(cpmUsd: number): CpmMicros | undefined {
  if (!(cpmUsd > 0 && cpmUsd <= cpmUsdMax)) return;
  const micros = cpmMicrosOf(cpmUsd);
  return micros > 0 ? micros : undefined;
}
