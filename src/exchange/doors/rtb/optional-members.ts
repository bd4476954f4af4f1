/** A member that an OpenRTB object leaves out. The exchange writes it as `""`, 0, an empty list or undefined. */
type Absent = null | undefined;

/** The text, or `other` if it is absent or empty. */
export const textOr = (text: string | Absent, other = ''): string => text || other;

/** The number, or 0 if it is absent. */
export const numberOrZero = (number: number | Absent): number => number ?? 0;

/** The list, or an empty one if it is absent. */
export const listOrNone = <T>(list: readonly T[] | Absent): readonly T[] => list ?? [];

/** The value, or undefined if it is absent. */
export const orUndefined = <T>(value: T | Absent): T | undefined => value ?? undefined;
