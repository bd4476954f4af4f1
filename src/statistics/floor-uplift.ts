/** What a group of requests earned in an hour. */
export interface GroupHour {
  readonly requests: number;
  /** USD. */
  readonly revenue: number;
}

export interface ExperimentHour {
  readonly floor: GroupHour;
  readonly control: GroupHour;
}

/** USD per 1,000 requests that the floor earned more than its control group. */
export interface Uplift {
  readonly perThousand: number;
  /** That 95 of 100 such experiments keep. */
  readonly low: number;
  readonly high: number;
}

/** Fewer hours with both groups say too little of how hours differ. */
const hoursMin = 24;
const bound95 = 1.96;
const thousand = 1000;

const nothing: GroupHour = { requests: 0, revenue: 0 };
const plus = (one: GroupHour, other: GroupHour, sign = 1): GroupHour => ({
  requests: one.requests + sign * other.requests,
  revenue: one.revenue + sign * other.revenue,
});
const rate = ({ requests, revenue }: GroupHour) => (requests > 0 ? (thousand * revenue) / requests : 0);

/**
 * Difference of two ratios, with its error by leaving out one hour at a time (jackknife; Efron and Tibshirani 1993,
 * chapter 11): it needs no prices of single requests, and hours that differ widen it. Undefined if there are too few
 * hours in which both groups had requests.
 */
export function floorUplift(hours: readonly ExperimentHour[]): Uplift | undefined {
  const both = hours.filter(({ floor, control }) => floor.requests > 0 && control.requests > 0);
  if (both.length < hoursMin) return undefined;
  const floor = both.reduce((sum, hour) => plus(sum, hour.floor), nothing);
  const control = both.reduce((sum, hour) => plus(sum, hour.control), nothing);
  const perThousand = rate(floor) - rate(control);
  const without = both.map(
    (hour) => rate(plus(floor, hour.floor, -1)) - rate(plus(control, hour.control, -1)),
  );
  const mean = without.reduce((sum, one) => sum + one, 0) / without.length;
  const squares = without.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const margin = bound95 * Math.sqrt(((both.length - 1) / both.length) * squares);
  return { perThousand, low: perThousand - margin, high: perThousand + margin };
}
