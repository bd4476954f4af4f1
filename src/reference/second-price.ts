/** How much a second price is above the second bid: 0.01 USD CPM, in micro-USD. */
const incrementCpmMicros = 10_000;

/**
 * Second price plus, in micro-USD of CPM: the second bid (0 if nobody else has bid) plus the increment, but at least the
 * floor and at most what the winner bid.
 */
export function secondPricePlus(winnerMicros: number, secondMicros: number, floorMicros: number): number {
  return Math.min(winnerMicros, Math.max(secondMicros + incrementCpmMicros, floorMicros));
}
