import type { FloorCurve } from '../../statistics/floors.ts';

const usd = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const price = (value: number) => `${value.toFixed(2)} USD CPM`;

/** A sentence for first-time readers. */
export function floorSummary({ auctionType, now, best, gain, isSure }: FloorCurve): string {
  const at = auctionType === 1 ? 'At first price' : 'At second price';
  const earns = `the current floor, ${price(now.floor)}, would have earned about ${usd.format(now.revenue.usd)}`;
  if (best.floor === now.floor) return `${at}, ${earns}, and no other floor would have earned more.`;
  const other = `a floor of ${price(best.floor)} about ${usd.format(best.revenue.usd)}`;
  if (!isSure) return `${at}, ${earns}, and ${other}, a difference that may be chance.`;
  const more = `between ${usd.format(Math.max(0, gain.low))} and ${usd.format(gain.high)} more`;
  return `${at}, ${earns}, and ${other}: ${more}.`;
}
