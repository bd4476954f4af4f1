import { entityOf } from '../field-tables.ts';
import { written } from '../objects/history/change-words.ts';
import type { Change } from '../objects/history/history.ts';
import { pluralOf } from '../parts/object-name.ts';
import { countText, titleOf } from '../parts/value-text.ts';

type Part = NonNullable<Change['Batch']>[number];

function objectsText({ Entity, Objects }: Part): string {
  const entity = entityOf(Entity);
  const kind = entity?.title ?? titleOf(Entity);
  return `${countText(Objects)} ${Objects === 1 || !entity ? kind : pluralOf(entity)}`;
}

/** What a bulk change did, as `200 VAST Tags`; where it did several things, each with what it was. */
export function batchText(parts: readonly Part[]): string {
  const [first, ...others] = parts;
  if (first && others.length === 0) return objectsText(first);
  return parts.map((part) => `${objectsText(part)} ${written(part.Operation)}`).join(', ');
}

/** Whether the change of one object shows that of all of them. */
export const isUniform = (parts: readonly Part[]): boolean => parts.length === 1 && parts[0]?.IsSame === 1;

export const isMany = (parts: readonly Part[] = []): boolean =>
  parts.length > 1 || (parts[0]?.Objects ?? 0) > 1;
