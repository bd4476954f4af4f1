import type { TargetedObject } from '../../configuration.ts';

/** `length` objects that stay together, from index `from` of the old row to `to` of the new. */
export interface ObjectRun {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

interface PlacedObject {
  readonly place: number;
  readonly object: TargetedObject;
}

/** An object that asks something else now counts as both removed and added. */
export interface RowChange {
  readonly size: number;
  /** In the order of the new row. */
  readonly kept: readonly ObjectRun[];
  /** As they were, by index in the old row. */
  readonly removed: readonly PlacedObject[];
  /** As they are, by index in the new row. */
  readonly added: readonly PlacedObject[];
}

export interface RowReader<Member> {
  objectOf(member: Member): TargetedObject;
  /** Equal for versions of an object that ask the same of every opportunity, and for no other object. */
  targetingOf(member: Member): number;
}

/** For each index in the new row, that in the old row, or -1. Fast if the rows differ little and in one stretch. */
function placesBefore(before: readonly number[], after: readonly number[]): Int32Array {
  const places = new Int32Array(after.length).fill(-1);
  const most = Math.min(before.length, after.length);
  let head = 0;
  for (; head < most && before[head] === after[head]; head += 1) places[head] = head;
  const shift = before.length - after.length;
  let end = after.length;
  for (; end > head && end + shift > head && before[end + shift - 1] === after[end - 1]; end -= 1) {
    places[end - 1] = end + shift - 1;
  }
  const between = new Map<number | undefined, number>();
  for (let place = head; place < end + shift; place += 1) between.set(before[place], place);
  for (let place = head; place < end; place += 1) places[place] = between.get(after[place]) ?? -1;
  return places;
}

function runsOf(places: Int32Array): ObjectRun[] {
  const runs: { from: number; to: number; length: number }[] = [];
  for (const [to, from] of places.entries()) {
    const last = runs.at(-1);
    if (from === -1) continue;
    if (last && last.from + last.length === from && last.to + last.length === to) last.length += 1;
    else runs.push({ from, to, length: 1 });
  }
  return runs;
}

/** Neither row may hold a member twice. Undefined if all ask the same as before. */
export function rowChange<Member>(
  before: readonly Member[],
  after: readonly Member[],
  { objectOf, targetingOf }: RowReader<Member>,
): RowChange | undefined {
  const places = placesBefore(before.map(targetingOf), after.map(targetingOf));
  const kept = runsOf(places);
  const isSame = before.length === after.length && kept.length <= 1 && !places.includes(-1);
  if (isSame) return undefined;
  const stayed = new Uint8Array(before.length);
  for (const { from, length } of kept) stayed.fill(1, from, from + length);
  const placed = (members: readonly Member[], isOf: (place: number) => boolean) => {
    const found: PlacedObject[] = [];
    for (const [place, member] of members.entries()) {
      if (isOf(place)) found.push({ place, object: objectOf(member) });
    }
    return found;
  };
  return {
    size: after.length,
    kept,
    removed: placed(before, (place) => stayed[place] === 0),
    added: placed(after, (place) => places[place] === -1),
  };
}
