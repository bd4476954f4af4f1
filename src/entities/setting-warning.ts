import { ownMember } from '../reference/own-member.ts';

/** Stored values of an object by field. */
type Values = Readonly<Record<string, unknown>>;

/** Settings that are allowed, and by which an active object never earns or shows anything. */
export interface SettingWarning {
  /** The field whose value would help. */
  readonly field: string;
  /** Whether the object's values are so, those that were left out included. */
  readonly when: (values: Values) => boolean;
  /** What follows of it, and what would help, as the end of a sentence that begins with the field. */
  readonly message: string;
}

const isEmpty = (value: unknown) => value === undefined || value === '' || value === 0;

/** Warns where all of these fields are empty or 0, and the object is otherwise as told. */
export function whereEmpty(
  [field = '', ...others]: readonly string[],
  message: string,
  isOtherwise: (values: Values) => boolean = () => true,
): SettingWarning {
  const when = (values: Values) =>
    [field, ...others].every((name) => isEmpty(ownMember(values, name))) && isOtherwise(values);
  return { field, when, message };
}
