import type { Entity } from '../entities/entity.ts';
import { entityOf } from '../entities/registry.ts';
import { ownMember } from '../reference/own-member.ts';
import type { Values } from '../store/interface.ts';

/** Connected objects looked at, per answer. */
const objectsMax = 1000;

/** Between supply, which publishers own, and demand, which advertisers own. */
export function pairFields({ fields }: Entity): { readonly name: string; readonly to: Entity }[] {
  return Object.entries(fields).flatMap(([name, { place }]) => {
    const isPair = place.kind === 'connection' && place.mirror !== undefined;
    return isPair ? [{ name, to: entityOf(place.to) }] : [];
  });
}

export interface ConnectedIds {
  readonly to: Entity;
  readonly ids: readonly number[];
}

export function connectedIds(fields: ReturnType<typeof pairFields>, connections: Values): ConnectedIds[] {
  let left = objectsMax;
  return fields.flatMap(({ name, to }) => {
    const ids = ((ownMember(connections, name) ?? []) as readonly number[]).slice(0, left);
    left -= ids.length;
    return ids.length > 0 ? [{ to, ids }] : [];
  });
}
