import type { Entity, Input } from '../../entities/entity.ts';
import { type EntityKey, type EntityOf, entityOf } from '../../entities/registry.ts';
import { mockDspsOf } from '../../reference/demo-paths.ts';
import type { Demonstration } from '../../store/interface.ts';

/** Of an earlier row's object, by the row's name. */
export type IdOf = (name: string) => number;

/** What a demonstration's values depend on. */
export interface DemoSetting {
  /** Of a path, as `/demo/film.mp4`. */
  readonly url: (path: string) => string;
  /** Of a mock DSP, as `vast/price=2`. */
  readonly dsp: (settings: string) => string;
  /** That many days from today on (UTC), as `2027-01-31`. */
  readonly day: (fromToday: number) => string;
}

export interface DemoRow {
  readonly name: string;
  readonly entity: Entity;
  readonly values: (id: IdOf, setting: DemoSetting) => object;
}

const dayMs = 86_400_000;

export function demoSetting({ url, key }: Pick<Demonstration, 'url' | 'key'>, nowMs: number): DemoSetting {
  return {
    url: (path) => url + path,
    dsp: (settings) => mockDspsOf({ url, key }) + settings,
    day: (fromToday) => new Date(nowMs + fromToday * dayMs).toISOString().slice(0, 10),
  };
}

/** Checked against its entity's field table. */
export function demoRow<Key extends EntityKey>(
  key: Key,
  name: string,
  values: (id: IdOf, setting: DemoSetting) => Input<EntityOf<Key>>,
): DemoRow {
  return { name, entity: entityOf<string>(key), values };
}
