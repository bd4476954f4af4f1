/*
 * In OpenRTB what is not known is absent or null, where the exchange has `""`, 0, an empty list or undefined.
 */

type Untold = null | undefined;

export const textOr = (text: string | Untold, other = ''): string => text || other;

export const numberOrZero = (number: number | Untold): number => number ?? 0;

export const listOrNone = <T>(list: readonly T[] | Untold): readonly T[] => list ?? [];

export const ifTold = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
