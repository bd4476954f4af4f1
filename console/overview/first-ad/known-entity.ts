import { entityOf, type ShownEntity } from '../../field-tables.ts';

/** An entity that the registry certainly has. */
export function knownEntity(key: string): ShownEntity {
  const entity = entityOf(key);
  if (!entity) throw new Error(`there is no entity ${key}`);
  return entity;
}
