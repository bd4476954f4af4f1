import type { Field } from './field.ts';
import type { SectionName } from './section-names.ts';

export type Placed<F extends Field, S extends SectionName = SectionName> = F & { readonly section: S };

type Level = 'basic' | 'advanced';

/** An `advanced` one is hidden unless asked for. */
export function placed<F extends Field, S extends SectionName>(
  name: S,
  field: F,
  level: Level = 'basic',
): Placed<F, S> {
  return { ...field, section: name, ...(level === 'advanced' ? { isAdvanced: true } : {}) };
}

export function section<F extends Readonly<Record<string, Field>>, S extends SectionName>(
  name: S,
  fields: F,
  level: Level = 'basic',
): { readonly [K in keyof F]: Placed<F[K], S> } {
  const rows = Object.entries(fields).map(([key, field]) => [key, placed(name, field, level)]);
  return Object.fromEntries(rows);
}
