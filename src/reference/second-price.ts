/** 0.01 USD CPM, in micro-USD. */
const incrementCpmMicros = 10_000;

/** Micro-USD of CPM: the second bid (0 without one) plus the increment, within the floor and the winner's bid. */
export function secondPricePlus(winnerMicros: number, secondMicros: number, floorMicros: number): number {
  return Math.min(winnerMicros, Math.max(secondMicros + incrementCpmMicros, floorMicros));
}
