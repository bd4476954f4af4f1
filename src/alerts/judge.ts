import type { Subject } from '../store/alerts/interface.ts';
import { type Rule, shareOf } from './rule.ts';

export interface Observation extends Subject {
  readonly name: string;
  /** The figure and its comparison; null if the rule has none or it says nothing. */
  readonly value: number | null;
  readonly compared: number | null;
  /** `nearly` = no longer, but not enough to end it; `unknown` = no data. */
  readonly holds: 'yes' | 'nearly' | 'no' | 'unknown';
  readonly detail: string;
}

export interface Measurement {
  /** Null for a rate of nothing. */
  readonly value: number | null;
  /** What the rule's minimum volume is about. */
  readonly volume: number;
  /** The whole that the figure is a share of, if it is one. */
  readonly of: number | undefined;
}

/** In percent, upwards; undefined from 0. */
const movedBy = (value: number, before: number): number | undefined =>
  before === 0 ? undefined : (100 * (value - before)) / Math.abs(before);

/** In the rule's direction; undefined if it says nothing. */
function beyond(
  { condition, threshold }: Rule,
  value: number,
  before: number | undefined,
): number | undefined {
  if (condition === 'Below') return threshold - value;
  if (condition === 'Above') return value - threshold;
  const moved = before === undefined ? undefined : movedBy(value, before);
  if (moved === undefined) return undefined;
  return (condition === 'FallsBy' ? -moved : moved) - threshold;
}

function holdsAt(rule: Rule, value: number, before: number | undefined): Observation['holds'] {
  const { condition, margin } = rule;
  if (condition === 'Nothing') {
    if (value === 0) return 'yes';
    return value <= margin ? 'nearly' : 'no';
  }
  const far = beyond(rule, value, before);
  if (far === undefined) return 'no';
  // Falls and rises include the bound; below and above do not.
  const isBeyond = (bound: number) =>
    condition === 'Below' || condition === 'Above' ? far > bound : far >= bound;
  if (isBeyond(0)) return 'yes';
  return isBeyond(-margin) ? 'nearly' : 'no';
}

/** False if there is too little to judge by: of a fall, what there was before. */
export function judgeMeasurement(
  rule: Rule,
  now: Measurement,
  before: Measurement | undefined,
): Pick<Observation, 'value' | 'compared' | 'holds'> {
  const { measure, condition, minVolume, volumeOf } = rule;
  const isShare = measure !== undefined && shareOf(measure) !== undefined;
  const says = (measured: Measurement) => !isShare || (measured.of ?? 0) > 0;
  const value = says(now) ? now.value : null;
  const compared = before && says(before) ? before.value : null;
  const weighed = condition === 'FallsBy' ? before : now;
  const isEnough = volumeOf === undefined || (weighed?.volume ?? 0) >= minVolume;
  if (value === null || !isEnough) return { value, compared, holds: 'no' };
  return { value, compared, holds: holdsAt(rule, value, compared ?? undefined) };
}
