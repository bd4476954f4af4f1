import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { ownMember } from '../../reference/own-member.ts';
import { type ConnectionMember, membersOfKind } from './members.ts';

interface ConnectedObject {
  readonly entity: Entity;
  readonly key: string;
  readonly connections: Readonly<Record<string, readonly string[]>>;
}

export interface ReverseConnections {
  /** In the order in which they were collected. */
  of(entity: Entity, member: ConnectionMember, key: string): readonly string[];
}

const slot = (...parts: readonly string[]) => JSON.stringify(parts);

/** For connections with two sides. */
export function reverseConnections(objects: readonly ConnectedObject[]): ReverseConnections {
  const namers = new Map<string, string[]>();
  for (const { entity, key, connections } of objects) {
    for (const { name, place } of membersOfKind(entity, 'connection')) {
      if (place.mirror === undefined) continue;
      for (const other of ownMember(connections, name) ?? []) {
        const at = slot(place.to, place.mirror, other);
        const known = namers.get(at);
        if (known) known.push(key);
        else namers.set(at, [key]);
      }
    }
  }
  return { of: (entity, { name }, key) => namers.get(slot(entity.key, name, key)) ?? [] };
}

const ranks = new Map(entities.map(({ key }, index) => [key, index]));

function rankOf(key: string): number {
  return ranks.get(entityOf(key).owner?.entity ?? key) ?? 0;
}

/** The demand side is left out if it only repeats the other (reference, C7). */
export function repeatsOtherSide(entity: Entity, { place }: ConnectionMember): boolean {
  return place.mirror !== undefined && rankOf(place.to) < rankOf(entity.key);
}
