import { type Field, isForDelivery, type Place } from '../fields/field.ts';
import { ownMember, setOwnMember } from '../reference/own-member.ts';
import type { Entity } from './entity.ts';

type Values = Readonly<Record<string, unknown>>;

/** The value of a setting that was never written, by the kind of place that the field table gives for it. */
const omittedAt: Readonly<Partial<Record<Place['kind'], (field: Field) => unknown>>> = {
  document: ({ omitted }) => omitted,
  secret: () => '',
  lineCount: () => 0,
};

/** The settings of an object for which nothing was sent. Objects share its empty lists. */
function omittedSettings({ fields }: Entity): Values {
  const rows = Object.entries(fields).flatMap(([name, field]) => {
    if (!isForDelivery(field)) return [];
    const omitted = omittedAt[field.place.kind];
    return omitted ? [[name, Object.freeze(omitted(field))] as const] : [];
  });
  return Object.fromEntries(rows);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * Of stored settings of an entity those that delivery reads, filled with the values of what was never written. All of
 * them then have the same form, so that each takes little memory.
 */
export function settingsFiller(entity: Entity): (stored: Values) => Record<string, unknown> {
  const omitted = omittedSettings(entity);
  const names = Object.keys(omitted);
  return (stored) => {
    const settings: Record<string, unknown> = { ...omitted };
    for (const name of names) {
      const value = ownMember(stored, name);
      if (value !== undefined && !isEmptyList(value)) setOwnMember(settings, name, value);
    }
    return settings;
  };
}
