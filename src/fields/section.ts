import type { Field } from './field.ts';
import type { SectionName } from './section-names.ts';

/** A field that says where it is shown. */
export type Placed<F extends Field, S extends SectionName = SectionName> = F & { readonly section: S };

type Level = 'basic' | 'advanced';

/** A field, shown in a section; an `advanced` one only to those who ask for more. */
export function placed<F extends Field, S extends SectionName>(
  name: S,
  field: F,
  level: Level = 'basic',
): Placed<F, S> {
  return { ...field, section: name, ...(level === 'advanced' ? { isAdvanced: true } : {}) };
}

/** Fields that are shown in one section. */
export function section<F extends Readonly<Record<string, Field>>, S extends SectionName>(
  name: S,
  fields: F,
  level: Level = 'basic',
): { readonly [K in keyof F]: Placed<F[K], S> } {
  const rows = Object.entries(fields).map(([key, field]) => [key, placed(name, field, level)]);
  return Object.fromEntries(rows);
}
