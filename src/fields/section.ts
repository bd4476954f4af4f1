import type { Field } from './field.ts';
import type { SectionName } from './section-names.ts';

/** A field that says where it is shown. */
export type Placed<F extends Field> = F & { readonly section: SectionName };

type Level = 'basic' | 'advanced';

/** A field, shown in a section; an `advanced` one only to those who ask for more. */
export function placed<F extends Field>(name: SectionName, field: F, level: Level = 'basic'): Placed<F> {
  return { ...field, section: name, ...(level === 'advanced' ? { isAdvanced: true } : {}) };
}

/** Fields that are shown in one section. */
export function section<F extends Readonly<Record<string, Field>>>(
  name: SectionName,
  fields: F,
  level: Level = 'basic',
): { readonly [K in keyof F]: Placed<F[K]> } {
  const rows = Object.entries(fields).map(([key, field]) => [key, placed(name, field, level)]);
  return Object.fromEntries(rows);
}
