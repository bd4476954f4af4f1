import { ownMember } from '../../reference/own-member.ts';
import { LargeInteger } from '../json.ts';
import { FormFault, type MemberType } from './member-types.ts';

const digits = /^-?\d{1,15}$/;
/** With these a text may be several values. */
const separators = /[\s,;|]/;

/** Converts a simple value if unambiguous, else returns it as it is. */
function asForm(value: unknown, form: 'string' | 'integer'): unknown {
  if (form === 'integer') return typeof value === 'string' && digits.test(value) ? Number(value) : value;
  if (value instanceof LargeInteger) return value.digits;
  return Number.isSafeInteger(value) ? String(value) : value;
}

function asList(value: unknown, form: 'string' | 'integer'): unknown {
  if (Array.isArray(value)) return value.map((item) => asForm(item, form));
  if (value === '') return [];
  const isSingle = typeof value === 'string' ? !separators.test(value) : Number.isSafeInteger(value);
  return isSingle ? [asForm(value, form)] : value;
}

/** Also reads unambiguous mistakes: whole numbers for texts, digits for numbers, a single value for a list. */
export function lenient<T, S>(type: MemberType<T, S>): MemberType<T, S> {
  const { form, isList } = type;
  if (form !== 'string' && form !== 'integer') return type;
  const read = (value: unknown) => {
    const strict = type.read(value);
    if (!(strict instanceof FormFault)) return strict;
    const converted = type.read(isList ? asList(value, form) : asForm(value, form));
    return converted instanceof FormFault ? strict : converted;
  };
  const keep = (value: unknown) => {
    const kept = read(value);
    return kept instanceof FormFault ? undefined : kept;
  };
  return { ...type, read, keep };
}

const formOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

function isSameForm(one: unknown, other: unknown): boolean {
  if (formOf(one) !== formOf(other)) return false;
  return (
    !Array.isArray(one) || one.every((item, index) => typeof item === typeof (other as unknown[])[index])
  );
}

/** The first member read as another type. */
export function convertedMember(
  value: Readonly<Record<string, unknown>>,
  read: Readonly<Record<string, unknown>>,
): string | undefined {
  if (value === read) return undefined;
  return Object.keys(value).find((name) => {
    const [before, after] = [ownMember(value, name), ownMember(read, name)];
    return before !== after && before !== null && after !== undefined && !isSameForm(before, after);
  });
}
