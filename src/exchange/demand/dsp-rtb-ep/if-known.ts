/** OpenRTB leaves out a text that is not known, where the exchange has `""`. */
export const textIfKnown = (text: string): string | undefined => (text === '' ? undefined : text);

/** A number, where the exchange has 0 for one that is not known. */
export const numberIfKnown = (number: number): number | undefined => (number === 0 ? undefined : number);

/** A list, unless it is empty. */
export const listIfAny = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

/** An object, unless all of its members are unknown. */
export function objectIfAny<T extends object>(object: T): T | undefined {
  for (const name in object) if (object[name] !== undefined) return object;
  return undefined;
}

/** Both lists as one, each item once; the first as it is where there is nothing to add. */
export function joined<T>(
  list: readonly T[] | undefined,
  others: ReadonlySet<T> | undefined,
): readonly T[] | undefined {
  if (others === undefined || others.size === 0) return list;
  return [...new Set([...(list ?? []), ...others])];
}

/** An object with what the request told beside, which wins; undefined where there is neither. */
export function withPassed<T extends object | undefined>(object: T, passed: object | undefined): T {
  return passed === undefined ? object : { ...object, ...passed };
}
