import { type Fault, faultsShownMax, invalid, pathOf } from '../../fields/fault.ts';
import { isStorableText } from '../../fields/formats.ts';

/** Deeper than any schema of ours: what lies below is refused anyway. */
const depthMax = 8;
/** As many as our longest list may have. */
const itemsMax = 100_000;
/** In an object within another. Checked here, because this search sees the whole value. */
const membersMax = 10_000;

/** Its path is made only for a fault. */
interface Part {
  readonly value: unknown;
  readonly path: () => string;
  readonly depth: number;
}

function membersOf({ value, path }: Part): Iterable<readonly [string | number, unknown]> {
  if (Array.isArray(value)) return value.length > itemsMax ? [] : value.entries();
  if (typeof value !== 'object' || value === null) return [];
  if (Object.keys(value).length > membersMax) {
    const Message = `must have at most ${membersMax} members`;
    throw invalid([{ Path: path(), Code: 'too_long', Message }]);
  }
  return Object.entries(value);
}

function search(faults: Fault[], part: Part): void {
  const { value, path, depth } = part;
  if (typeof value === 'string') {
    const Message = 'contains a NUL or half of a surrogate pair, which cannot be stored; remove it';
    if (!isStorableText(value)) faults.push({ Path: path(), Code: 'encoding', Message });
    return;
  }
  if (depth > depthMax) return;
  for (const [name, item] of membersOf(part)) {
    if (faults.length > faultsShownMax) return;
    const isSearched = typeof item === 'string' || (typeof item === 'object' && item !== null);
    if (isSearched) search(faults, { value: item, path: () => pathOf(path(), name), depth: depth + 1 });
  }
}

/** Strings that cannot be stored. Refuses with `invalid` an object with more members than any of ours. */
export function textFaults(value: unknown, path: string): readonly Fault[] {
  const faults: Fault[] = [];
  search(faults, { value, path: () => path, depth: 0 });
  return faults;
}
