import type { LineCodec } from '../fields/line-codecs.ts';
import type { Entity } from './entity.ts';

/** The field that holds the text of a list, and how its lines are read. */
export interface ListTextField {
  readonly name: string;
  readonly codec: LineCodec;
}

/** Finds that field; undefined where the entity is no list. */
export function listTextOf({ fields }: Entity): ListTextField | undefined {
  for (const [name, { place }] of Object.entries(fields)) {
    if (place.kind === 'listText') return { name, codec: place.codec };
  }
  return undefined;
}
