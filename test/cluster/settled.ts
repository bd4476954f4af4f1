import { dayOf } from '../../src/exchange/limits/day-line.ts';
import { queryOnce } from '../postgres/hard-stop.ts';
import type { Ad } from './ledger.ts';
import { priceNanos } from './market.ts';

/** Figures of an object on a day that must not differ by one. */
export interface Settled {
  readonly kind: string;
  readonly id: number;
  /** UTC days since 1970. */
  readonly day: number;
  readonly impressions: number;
  readonly bills: number;
  readonly revenueNanos: number;
  readonly spentNanos: number;
}

const inOrder = (one: Settled, other: Settled) =>
  one.kind < other.kind || (one.kind === other.kind && (one.id - other.id || one.day - other.day) < 0)
    ? -1
    : 1;

/** What the tags of ads that were shown must have counted. */
export function settledOf(shown: readonly Ad[]): Settled[] {
  const byTag = Map.groupBy(shown, ({ offer, answeredMs }) => `${offer.tag.Id} ${dayOf(answeredMs)}`);
  return [...byTag.values()]
    .map((ads) => {
      const [{ offer, answeredMs } = ads[0] as Ad] = ads;
      const nanos = ads.length * priceNanos;
      return {
        kind: 'VastTag',
        id: offer.tag.Id,
        day: dayOf(answeredMs),
        impressions: ads.length,
        bills: ads.length,
        revenueNanos: nanos,
        spentNanos: nanos,
      };
    })
    .sort(inOrder);
}

/** What the store has counted of all tags that have shown anything. */
export async function storedOf(databaseUrl: string): Promise<Settled[]> {
  const rows = await queryOnce<Record<keyof Settled, string>>(
    databaseUrl,
    `select supply_kind as kind, supply_id as id, slot as day, sum(impressions) as impressions, sum(bills) as bills,
      sum(revenue_nanos) as "revenueNanos", sum(spent_nanos) as "spentNanos" from cube_supply_day
    where supply_kind = 'VastTag' group by supply_kind, supply_id, slot
    having sum(impressions) > 0 or sum(bills) > 0 or sum(revenue_nanos) <> 0`,
  );
  return rows
    .map(({ kind, ...numbers }) => ({
      kind,
      id: Number(numbers.id),
      day: Number(numbers.day),
      impressions: Number(numbers.impressions),
      bills: Number(numbers.bills),
      revenueNanos: Number(numbers.revenueNanos),
      spentNanos: Number(numbers.spentNanos),
    }))
    .sort(inOrder);
}
