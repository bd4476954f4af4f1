/** A text; undefined for an empty one, and for what is none. */
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What is searched for: a number comes as one. */
export const searchedOf = (value: unknown) => (typeof value === 'number' ? String(value) : textOf(value));

/** A day of the calendar, as `2027-01-31`. */
export const dayOf = (value: unknown) =>
  typeof value === 'string' && JSON.stringify(new Date(value)).startsWith(`"${value}T`) ? value : undefined;

export const idOf = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : undefined);

/** A number from 1. */
export const countOf = (value: unknown) => (Number(idOf(value)) > 0 ? idOf(value) : undefined);
