import { type Field, isForDelivery, type Place } from '../fields/field.ts';
import { setOwnMember } from '../reference/own-member.ts';
import type { Entity } from './entity.ts';

type Values = Readonly<Record<string, unknown>>;

/** By the kind of place in the field table. */
const omittedAt: Readonly<Partial<Record<Place['kind'], (field: Field) => unknown>>> = {
  document: ({ omitted }) => omitted,
  secret: () => '',
  lineCount: () => 0,
};

/** For an object without input. Objects share its empty lists. */
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

/** What delivery reads, with omitted settings filled in. All share one form, so that each takes little memory. */
export function settingsFiller(entity: Entity): (stored: Values) => Record<string, unknown> {
  const omitted = omittedSettings(entity);
  const names = Object.keys(omitted);
  return (stored) => {
    const settings: Record<string, unknown> = { ...omitted };
    for (const name of names) {
      // No field is called like a member of every object.
      const { [name]: value } = stored;
      if (value !== undefined && !isEmptyList(value)) setOwnMember(settings, name, value);
    }
    return settings;
  };
}
