import type { Entity, Input } from '../../entities/entity.ts';
import { type EntityKey, type EntityOf, entityOf } from '../../entities/registry.ts';

/** The ID that the object of an earlier row was given, by the row's name. */
export type IdOf = (name: string) => number;

/** Where the demo's server is reached: the URL of a path on it, as `/demo/film.mp4`. */
export type UrlOf = (path: string) => string;

/** One object to add: its name among the rows, its entity, and what is sent. */
export interface DemoRow {
  readonly name: string;
  readonly entity: Entity;
  readonly values: (id: IdOf, url: UrlOf) => object;
}

/** A row whose values are checked against its entity's field table. */
export function demoRow<Key extends EntityKey>(
  key: Key,
  name: string,
  values: (id: IdOf, url: UrlOf) => Input<EntityOf<Key>>,
): DemoRow {
  return { name, entity: entityOf<string>(key), values };
}
