/** An unknown value in OpenRTB: absent or null. The exchange writes it as `""`, 0, an empty list or undefined. */
type Untold = null | undefined;

/** The text, or `other` if it is unknown or empty. */
export const textOr = (text: string | Untold, other = ''): string => text || other;

/** The number, or 0 if it is unknown. */
export const numberOrZero = (number: number | Untold): number => number ?? 0;

/** The list, or an empty one if it is unknown. */
export const listOrNone = <T>(list: readonly T[] | Untold): readonly T[] => list ?? [];

/** The value, or undefined if it is unknown. */
export const ifTold = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
