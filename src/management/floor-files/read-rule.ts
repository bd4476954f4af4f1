import type { DecimalName } from '../../reference/csv.ts';
import { type Conditions, conditionsKey, type Values } from './conditions.ts';

/** A floor rule as a file has it. */
export interface ReadRule {
  /** As `row 2`, or a key of Prebid's. */
  readonly place: string;
  readonly conditions: Conditions;
  /** What the file says of it. */
  readonly settings: Values;
  /** What it has besides if it is new. */
  readonly added: Values & { readonly Name: string };
}

export interface FloorFault {
  /** Absent = the whole file. */
  readonly place?: string;
  readonly text: string;
}

/** Rules with faults are not among the rules; faults of the file as a whole leave none. */
export interface FloorsFile {
  readonly rules: readonly ReadRule[];
  readonly faults: readonly FloorFault[];
}

export const rowsMax = 10_000;

const cpmMax = 1_000_000;
export const isCpm = (cpm: number): boolean => Number.isFinite(cpm) && cpm >= 0 && cpm <= cpmMax;

export const cpmFault = `the floor must be a number from 0 to ${cpmMax}`;

/** A thousand to some, one and a fraction to others. */
const unclear = /^[1-9]\d{0,2},\d{3}$/;
const written = /^(\d+(?:[.,]\d+)?)\s*([a-z]{3})?$/i;

/**
 * A floor with or without a currency, as `1.5`, `0,75` or `1.5 EUR`; undefined for what is none. `decimal`: by `Point`,
 * one with a comma that may stand for thousands is none.
 */
export function readFloor(
  text: string,
  decimal: DecimalName,
): { readonly Floor: number; readonly Currency?: string } | undefined {
  const [, number = '', currency] = written.exec(text.trim()) ?? [];
  const Floor = Number(number.replace(',', '.'));
  if (number === '' || (decimal === 'Point' && unclear.test(number)) || !isCpm(Floor)) return undefined;
  return { Floor, ...(currency && { Currency: currency.toUpperCase() }) };
}

/** Of rules with the same name or conditions, only the first would hold: the others are faults. */
export function withoutTwins({ rules, faults }: FloorsFile): FloorsFile {
  const places = new Map<string, string>();
  const twins: FloorFault[] = [];
  const single = rules.filter(({ place, conditions, settings, added }) => {
    const keys = [`conditions ${conditionsKey(conditions)}`, `name ${settings.Name ?? added.Name}`];
    const known = keys.find((key) => places.has(key));
    if (known) {
      const [what = ''] = known.split(' ');
      twins.push({ place, text: `has the same ${what} as ${places.get(known)}; leave one of them out` });
      return false;
    }
    for (const key of keys) places.set(key, place);
    return true;
  });
  return { rules: single, faults: [...faults, ...twins] };
}
