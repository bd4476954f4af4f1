import type { LineCodec } from '../fields/line-codecs.ts';
import type { Entity } from './entity.ts';

export interface ListTextField {
  readonly name: string;
  readonly codec: LineCodec;
}

/** Undefined if the entity is no list. */
export function listTextOf({ fields }: Entity): ListTextField | undefined {
  for (const [name, { place }] of Object.entries(fields)) {
    if (place.kind === 'listText') return { name, codec: place.codec };
  }
  return undefined;
}
