import type { Subject } from '../store/alerts/interface.ts';
import { type Rule, shareOf } from './rule.ts';

export interface Observation extends Subject {
  readonly name: string;
  /** The figure, and that of the comparison; null where the rule is about none, or there is nothing it says. */
  readonly value: number | null;
  readonly compared: number | null;
  /**
   * Whether the rule's condition holds; `nearly` = no longer, but not by so much that it has ended; `unknown` = there are
   * no data to tell it by.
   */
  readonly holds: 'yes' | 'nearly' | 'no' | 'unknown';
  readonly detail: string;
}

/** Figures of a subject in the window, and in that of the comparison. */
export interface Measurement {
  /** Null for a rate of nothing. */
  readonly value: number | null;
  /** How much there is of what the rule wants a volume of. */
  readonly volume: number;
  /** How much there is of what the figure is a share of; undefined where it is none. */
  readonly of: number | undefined;
}

/** By how much of 100 a figure has moved from another one, upwards; undefined from 0. */
const movedBy = (value: number, before: number): number | undefined =>
  before === 0 ? undefined : (100 * (value - before)) / Math.abs(before);

/** How far a figure is beyond the bound, in the direction that the rule is about; undefined where it says nothing. */
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
  // At the bound itself a fall or rise is as large as was asked for; what is to be below or above it is not.
  const isBeyond = (bound: number) =>
    condition === 'Below' || condition === 'Above' ? far > bound : far >= bound;
  if (isBeyond(0)) return 'yes';
  return isBeyond(-margin) ? 'nearly' : 'no';
}

/**
 * Whether a rule's condition holds for figures. Where there is too little to judge by it does not: of a fall that is what
 * there was before, because what falls to nothing has no volume any more.
 */
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
