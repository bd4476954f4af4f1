/** In OpenRTB what is not known is absent or null, where the exchange has `""`, 0, an empty list or undefined. */
type Untold = null | undefined;

/** A text that was told, or another. */
export const textOr = (text: string | Untold, other = ''): string => text || other;

/** A number that was told, or 0. */
export const numberOrZero = (number: number | Untold): number => number ?? 0;

/** A list that was told, or an empty one. */
export const listOrNone = <T>(list: readonly T[] | Untold): readonly T[] => list ?? [];

/** A value that was told; undefined where it is null too. */
export const ifTold = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
