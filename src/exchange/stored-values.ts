/** The stored values of an object, read by the type that a field is known to have. */
type Stored = Readonly<Record<string, unknown>>;

/** `""` where the entity has no such field. */
export function textOf(document: Stored, field: string): string {
  const value = document[field];
  return typeof value === 'string' ? value : '';
}

/** 0 where the entity has no such field. */
export function numberOf(document: Stored, field: string): number {
  const value = document[field];
  return typeof value === 'number' ? value : 0;
}

/** Whether a flag is set; false where the entity has no such field. */
export function flagOf(document: Stored, field: string): boolean {
  return document[field] === 1;
}

/** The strings of a list, empty where the entity has no such field. */
export function stringsOf(document: Stored, field: string): readonly string[] {
  const value = document[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The numbers of a list. */
export function numbersOf(document: Stored, field: string): readonly number[] {
  const value = document[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}
