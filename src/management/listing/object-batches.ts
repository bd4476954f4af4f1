import { setImmediate as turn } from 'node:timers/promises';
import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { Filter, Store, StoredObject } from '../../store/interface.ts';

/** Arrays of IDs may be long. */
const rowsPerLook = 1000;
const rowsWithArraysPerLook = 200;

interface Reading {
  readonly store: Store;
  readonly entity: Entity;
  readonly teamId: number;
  readonly fields: readonly string[];
  readonly filter?: Filter;
}

/** In batches, with a tick after each. */
export async function* objectBatches<T>(
  { store, entity, teamId, fields, filter = {} }: Reading,
  make: (objects: readonly StoredObject[]) => T | Promise<T>,
): AsyncGenerator<Awaited<T>> {
  const hasArrays = fields.some((name) => {
    const kind = ownMember(entity.fields, name)?.place.kind;
    return kind === 'connection' || kind === 'backReference';
  });
  const size = hasArrays ? rowsWithArraysPerLook : rowsPerLook;
  for (let afterId = filter.afterId ?? 0; ; ) {
    const objects = await store.page(entity, teamId, { ...filter, afterId }, size, fields);
    yield await make(objects);
    if (objects.length < size) return;
    afterId = objects.at(-1)?.id ?? 0;
    await turn();
  }
}
