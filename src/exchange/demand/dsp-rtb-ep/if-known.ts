/** A text; undefined for `""`, by which the exchange means unknown and which OpenRTB leaves out. */
export const textIfKnown = (text: string): string | undefined => (text === '' ? undefined : text);

/** A number; undefined for 0, by which the exchange means unknown. */
export const numberIfKnown = (number: number): number | undefined => (number === 0 ? undefined : number);

/** A list; undefined if it is empty. */
export const listIfAny = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

/** An object; undefined if all of its members are. */
export function objectIfAny<T extends object>(object: T): T | undefined {
  for (const name in object) if (object[name] !== undefined) return object;
  return undefined;
}

/** Both lists as one, each item once; `list` itself if there is nothing to add. */
export function joined<T>(
  list: readonly T[] | undefined,
  others: ReadonlySet<T> | undefined,
): readonly T[] | undefined {
  if (others === undefined || others.size === 0) return list;
  return [...new Set([...(list ?? []), ...others])];
}

/** An object with the members passed on from the request, which replace its own; undefined if there is neither. */
export function withPassed<T extends object | undefined>(object: T, passed: object | undefined): T {
  return passed === undefined ? object : { ...object, ...passed };
}
