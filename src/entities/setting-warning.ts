import { ownMember } from '../reference/own-member.ts';

type Values = Readonly<Record<string, unknown>>;

/** What rows know besides the object. */
export interface WarningFacts {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The owner, or an object of the other side. */
export interface RelatedObject {
  readonly isActive: boolean;
  /** Omitted ones are filled in. */
  readonly values: Values;
}

/** Allowed settings that do not have the effect that they seem to have. */
export interface SettingWarning {
  /** The field to change. */
  readonly field: string;
  /** The object can't serve until this is mended. */
  readonly isBlocking?: true;
  /** Sees omitted values too. */
  readonly when: (values: Values, facts: WarningFacts) => boolean;
  /** If given, must hold for the owner. */
  readonly whenOwner?: (owner: RelatedObject) => boolean;
  /** If given, must hold for all connected objects, and there must be one unless `orNone`. */
  readonly whenConnected?: (connected: RelatedObject) => boolean;
  readonly orNone?: true;
  /** What follows and what helps, to complete a sentence that begins with the field. */
  readonly message: string;
}

const isEmpty = (value: unknown) => value === undefined || value === '' || value === 0;

/** Warns if all of these fields are empty or 0, and `isOtherwise` holds. */
export function whereEmpty(
  [field = '', ...others]: readonly string[],
  message: string,
  isOtherwise: SettingWarning['when'] = () => true,
): SettingWarning {
  const when: SettingWarning['when'] = (values, facts) =>
    [field, ...others].every((name) => isEmpty(ownMember(values, name))) && isOtherwise(values, facts);
  return { field, when, message };
}

/** The same, where an object can't serve without one of them. */
export const needs = (...row: Parameters<typeof whereEmpty>): SettingWarning => ({
  ...whereEmpty(...row),
  isBlocking: true,
});
