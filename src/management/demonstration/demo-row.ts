import type { Entity, Input } from '../../entities/entity.ts';
import { type EntityKey, type EntityOf, entityOf } from '../../entities/registry.ts';

/** Of an earlier row's object, by the row's name. */
export type IdOf = (name: string) => number;

export interface DemoUrls {
  /** Of a path, as `/demo/film.mp4`. */
  readonly url: (path: string) => string;
  /** Of a mock DSP, as `vast/price=2`. */
  readonly dsp: (settings: string) => string;
}

export interface DemoRow {
  readonly name: string;
  readonly entity: Entity;
  readonly values: (id: IdOf, urls: DemoUrls) => object;
}

/** Checked against its entity's field table. */
export function demoRow<Key extends EntityKey>(
  key: Key,
  name: string,
  values: (id: IdOf, urls: DemoUrls) => Input<EntityOf<Key>>,
): DemoRow {
  return { name, entity: entityOf<string>(key), values };
}
