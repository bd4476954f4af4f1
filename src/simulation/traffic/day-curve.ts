/** Video watched in each hour, in proportion. */
const hours = [
  0.55, 0.36, 0.25, 0.19, 0.18, 0.24, 0.42, 0.64, 0.76, 0.82, 0.88, 0.94, 1.04, 1.04, 1.0, 1.04, 1.16, 1.38,
  1.68, 1.98, 2.14, 2.02, 1.58, 0.99,
] as const;

const mean = hours.reduce((sum, hour) => sum + hour, 0) / hours.length;

const hourAt = (index: number) => hours[index % hours.length] ?? mean;

/** Pace at a share of the day (0 to 1) as a multiple of the mean; linear between the middles of hours. */
export function paceAt(share: number): number {
  const time = share * hours.length + hours.length - 0.5;
  const hour = Math.floor(time);
  const between = time - hour;
  return (hourAt(hour) * (1 - between) + hourAt(hour + 1) * between) / mean;
}
