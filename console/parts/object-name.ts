import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';

export const objectName = (object: Readonly<Record<string, unknown>>): string =>
  String(object.Name || object.Username || object.Mail || `#${object.Id}`);

/** What people call many objects of an entity. */
export const pluralOf = ({ title }: ShownEntity): string =>
  /[^aeiou]y$/.test(title) ? title.replace(/y$/, 'ies') : `${title}s`;

/** Whose the object is; "" where it has no owner. */
export const ownerNameOf = ({ owner }: ShownEntity, object: Stored): string =>
  owner ? String(object[`${owner.entity}Name`] ?? '') : '';

const firstParts = new Map([
  ['list', '/lines'],
  ['account', '/account'],
]);

/** What follows an object's address in links from lists; "" for its settings. */
export const firstPart = (side: ShownEntity['side']): string => firstParts.get(side) ?? '';

export const isActive = ({ Status }: Stored): boolean => Status === 0;
