import { isSupply, type SupplyKind } from '../../entities/kinds.ts';
import type { ConfigurationFeed, ConfigurationObject } from '../configuration.ts';
import { inSlices } from '../pieces.ts';
import type { Compile } from './compile.ts';
import { type CompiledSnapshot, emptySnapshot } from './compiled-snapshot.ts';
import { createDrafting, type Draft } from './drafting.ts';
import { gather } from './gather.ts';
import { createListRenewal } from './list-renewal.ts';
import { createPacking } from './packing.ts';
import { createRenewal } from './renew.ts';

/** Compiling gives auctions a turn after so many milliseconds. */
const sliceMs = 2;
const nowMs = () => performance.now();

/** The object of a snapshot as it was configured. */
function servedIn({ objects }: CompiledSnapshot, { entity, id }: ConfigurationObject) {
  if (isSupply(entity)) return objects.supplies[entity].get(id)?.object;
  return objects.demands[entity as keyof typeof objects.demands]?.get(id)?.object;
}

/** Keeps a snapshot up to date with a feed; each time the whole snapshot is replaced at once. */
export function createFollower(feed: ConfigurationFeed, compile: Compile) {
  const places = compile.listPlaces();
  const packing = createPacking();
  const renew = createRenewal(compile, places.lists);
  const lists = createListRenewal(compile, feed, places);
  const drafted = createDrafting(compile, places.lists, lists.placeUnused);
  let snapshot: CompiledSnapshot = emptySnapshot;
  const catchUpFrom = async (afterRevision: number | undefined) => {
    const { objects, revision } = await gather(feed, afterRevision, packing.pack);
    const placeLists = await lists.renew(objects, (object) => servedIn(snapshot, object));
    const renewed = await inSlices(renew(snapshot, objects, revision), sliceMs, nowMs);
    placeLists();
    snapshot = renewed;
    packing.serve(objects);
    await inSlices(packing.compact(), sliceMs, nowMs);
  };
  return {
    current: () => snapshot,
    /** A supply object as it would be with unsaved values (`Draft`). Rejects when a list cannot be read. */
    drafted: (supply: SupplyKind, id: number, draft: Draft) => drafted(snapshot, { kind: supply, id }, draft),
    /** Reads everything. Rejects when the feed fails; the snapshot stays as it was. */
    load: () => catchUpFrom(undefined),
    /** Reads what has changed since. Rejects like `load`. */
    async catchUp(): Promise<void> {
      if ((await feed.revision()) !== snapshot.revision) await catchUpFrom(snapshot.revision);
    },
  };
}
