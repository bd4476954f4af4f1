import type { LimitReport, WholePart } from './authority.ts';

/** Parts of one shard exclude each other. */
export const shards = 64;
/** IDs are less. */
export const placesOfShard = 2 ** 31;
/** All objects are at places before this one. */
export const placesEnd = shards * placesOfShard;
/** Chosen by measurement: a part of so many limits takes PostgreSQL some 50 ms. */
const partLimitsMax = 2000;

/** Objects of a shard stand together. */
export const placeOf = (id: number): number => (id % shards) * placesOfShard + id;
export const shardOf = (place: number): number => Math.floor(place / placesOfShard);

const levels = ['line', 'before', 'counted', 'used', 'open', 'unused', 'wanted'] as const;

/** Throws a `RangeError` for a level below 0, by which others would be granted what is used. */
export function checkLevels(limits: readonly LimitReport[]): void {
  for (const limit of limits) {
    const { line, before, counted = 0, used, open, unused, wanted } = limit;
    if (Math.min(line, before, counted, used, open, unused, wanted) >= 0) continue;
    const level = levels.find((name) => (limit[name] ?? 0) < 0);
    throw new RangeError(`${level} of ${limit.kind} ${limit.id} is ${level && limit[level]}`);
  }
}

export interface ReportPart {
  readonly whole: Omit<WholePart, 'epoch'> | undefined;
  readonly limits: readonly LimitReport[];
}

/** Never parts an object; at least one, which may be empty. */
export function partsOf(
  limits: readonly LimitReport[],
  isWhole: boolean,
  limitsMax = partLimitsMax,
): ReportPart[] {
  const ordered = limits.toSorted((a, b) => placeOf(a.id) - placeOf(b.id));
  const parts: ReportPart[] = [];
  let from = 0;
  for (let begun = 0; begun < ordered.length || from === 0; ) {
    let end = Math.min(begun + limitsMax, ordered.length);
    while (end < ordered.length && ordered[end]?.id === ordered[end - 1]?.id) end += 1;
    const next = ordered[end];
    const to = next ? placeOf(next.id) : placesEnd;
    parts.push({ whole: isWhole ? { from, to } : undefined, limits: ordered.slice(begun, end) });
    [begun, from] = [end, to];
  }
  return parts;
}
