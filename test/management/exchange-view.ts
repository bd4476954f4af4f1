import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import type { Api, Fetched, Values } from './api.ts';
import type { ResourceName } from './resources.ts';

/** Where an object stands among those of its entity: the same in exchanges that are the same. */
type Places = ReadonlyMap<string, ReadonlyMap<number, number>>;

const masks: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/https?:\/\/127\.0\.0\.1:\d+/g, 'http://here'],
  [/(?<=[?&](auth|zone|feed|username)=)[^&"]*/g, '*'],
];

function masked(value: unknown): unknown {
  const text = masks.reduce(
    (masking, [pattern, mask]) => masking.replaceAll(pattern, mask),
    JSON.stringify(value),
  );
  return JSON.parse(text);
}

/** A field's value without what two exchanges cannot have in common; who uses a list, in no order. */
function shown(entity: Entity, name: string, value: unknown, places: Places): unknown {
  const { place, references } = entity.fields[name] ?? {};
  const at = (to: string, id: number) => places.get(to)?.get(id) ?? `unknown ${id}`;
  switch (place?.kind) {
    case 'connection':
      return (value as number[]).map((id) => at(place.to, id));
    case 'backReference':
      return (value as number[]).map((id) => at(place.from, id)).sort();
    case 'url':
    case 'regionUrls':
      return masked(value);
    case 'secret':
    case 'manager':
      return typeof value;
    case 'column':
      return name === 'Status' ? value : undefined;
    default:
      return references === undefined ? value : at(references, value as number);
  }
}

/** Every object of a team as a fetch shows it, without IDs, secrets, managers and the team. */
export async function exchangeView(api: Api): Promise<Readonly<Record<string, readonly Values[]>>> {
  const objects = new Map<Entity, readonly Fetched[]>();
  for (const entity of entities) {
    const name = entity.key as ResourceName;
    const ids = (await api.all(name)).map(({ Id }) => Id);
    objects.set(entity, await Promise.all(ids.map((id) => api.one(name, id))));
  }
  const places: Places = new Map(
    [...objects].map(([{ key }, found]) => [key, new Map(found.map(({ Id }, index) => [Id, index]))]),
  );
  const rows = [...objects].map(([entity, found]) => [
    entity.key,
    found.map((object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [name, shown(entity, name, value, places)]),
      ),
    ),
  ]);
  return Object.fromEntries(rows);
}
