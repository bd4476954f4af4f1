import { ownMember } from '../reference/own-member.ts';

type Values = Readonly<Record<string, unknown>>;

/** Allowed settings that do not have the effect that they seem to have. */
export interface SettingWarning {
  /** The field to change. */
  readonly field: string;
  /** Sees omitted values too. */
  readonly when: (values: Values) => boolean;
  /** If given, must hold for all connected objects, and there must be one. */
  readonly whenConnected?: (values: Values) => boolean;
  /** What follows and what helps, to complete a sentence that begins with the field. */
  readonly message: string;
}

const isEmpty = (value: unknown) => value === undefined || value === '' || value === 0;

/** Warns if all of these fields are empty or 0, and `isOtherwise` holds. */
export function whereEmpty(
  [field = '', ...others]: readonly string[],
  message: string,
  isOtherwise: (values: Values) => boolean = () => true,
): SettingWarning {
  const when = (values: Values) =>
    [field, ...others].every((name) => isEmpty(ownMember(values, name))) && isOtherwise(values);
  return { field, when, message };
}
