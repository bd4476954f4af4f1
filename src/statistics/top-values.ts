import { otherValue } from '../reference/cubes.ts';

/** What is known of the values that one object has met today. */
interface ValueCounts {
  day: number;
  total: number;
  /** Values that keep their name. */
  kept: Set<string>;
  /** Others, each with how often it came at least (the sketch of Misra and Gries). */
  counts: Map<string, number>;
}

/** The values that one object has met in a day, of one cube. */
export interface DayValues {
  /** The value, or `otherValue` where it is too rare among those of the object and day; counts that it came. */
  name(value: string, most: number): string;
  /** Counts that a value came whose name is known to be kept. */
  meet(): void;
}

export interface TopValues {
  /** Those of an object (`cube:kind:id`) and day. */
  of(object: string, day: number): DayValues;
}

/** Counts a value; where there is no room, all others lose one, and those of one their place. */
function count(counts: Map<string, number>, value: string, room: number): number {
  const times = (counts.get(value) ?? 0) + 1;
  if (times > 1 || counts.size < room) {
    counts.set(value, times);
    return times;
  }
  for (const [other, had] of counts) {
    if (had === 1) counts.delete(other);
    else counts.set(other, had - 1);
  }
  return 0;
}

function nameIn(seen: ValueCounts, value: string, most: number): string {
  seen.total += 1;
  if (value === '' || seen.kept.has(value)) return value;
  if (seen.kept.size >= most) return otherValue;
  const times = count(seen.counts, value, 2 * most);
  const isLarge = times > 1 && times >= seen.total / (2 * most);
  if (!isLarge && seen.kept.size >= most / 2) return otherValue;
  seen.counts.delete(value);
  seen.kept.add(value);
  return value;
}

/**
 * Finds the largest values of a day as they come, in bounded memory. Half of the room is for those that come first: an
 * object with fewer values has them all from the first request on. The other half is for values that have half of an
 * even share among `most`, from then on, so that a flood of values that come once leaves room for those that come often,
 * also late in the day.
 */
export function createTopValues(): TopValues {
  const objects = new Map<string, ValueCounts>();
  let lastDay = 0;
  const seenBy = (object: string, day: number): ValueCounts => {
    // Objects without traffic are forgotten with the day.
    if (day > lastDay) {
      lastDay = day;
      objects.clear();
    }
    const known = objects.get(object);
    if (known?.day === day) return known;
    const fresh = { day, total: 0, kept: new Set<string>(), counts: new Map<string, number>() };
    if (known === undefined || known.day < day) objects.set(object, fresh);
    return fresh;
  };
  return {
    of(object, day) {
      const seen = seenBy(object, day);
      return {
        name: (value, most) => nameIn(seen, value, most),
        meet() {
          seen.total += 1;
        },
      };
    },
  };
}
