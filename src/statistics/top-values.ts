import { otherValue } from '../reference/cubes.ts';

interface ValueCounts {
  day: number;
  total: number;
  /** Values that keep their name. */
  kept: Set<string>;
  /** Others, with how often they came at least (Misra-Gries sketch). */
  counts: Map<string, number>;
}

export interface DayValues {
  /** `otherValue` if it is too rare among the object's values of the day; counts it. */
  name(value: string, most: number): string;
  /** Counts a value whose name is kept. */
  meet(): void;
}

export interface TopValues {
  /** `object`: `cube:kind:id`. */
  of(object: string, day: number): DayValues;
}

/** Without room, all others lose one; those at zero lose their place. */
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
 * Finds a day's largest values in bounded memory. Half the room is for the first values, so that small objects have
 * them all; half for values with half an even share among `most` from then on, so that floods of rare values do not
 * crowd out frequent ones.
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
