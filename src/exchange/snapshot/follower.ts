import { isSupply, type SupplyKind } from '../../entities/kinds.ts';
import type { ConfigurationFeed } from '../configuration.ts';
import { runInSlices } from '../cooperative-task.ts';
import type { SnapshotCompiler } from './compile.ts';
import { type CompiledSnapshot, emptySnapshot } from './compiled-snapshot.ts';
import { createDraftCompiler, type Draft } from './drafting.ts';
import { createListRenewal } from './list-renewal.ts';
import type { ServedAs } from './object-locations.ts';
import { createObjectSource } from './object-source.ts';
import { createRenewal } from './renew.ts';
import { soleThread, type ThreadSharing } from './sharing.ts';

/** Compiling yields to auctions after this long. */
const sliceMs = 2;
const nowMs = () => performance.now();

function servedIn({ objects }: CompiledSnapshot, { entity, id }: Parameters<ServedAs>[0]) {
  if (isSupply(entity)) return objects.supplies[entity].get(id)?.object;
  if (entity === 'Deal') return objects.deals.get(id)?.object;
  if (entity === 'FloorRule') return objects.floorRules.get(id)?.object;
  return objects.demands[entity as keyof typeof objects.demands]?.get(id)?.object;
}

/** Keeps a snapshot up to date with a feed; each change replaces the whole snapshot at once. */
export function createFollower(
  feed: ConfigurationFeed,
  compiler: SnapshotCompiler,
  sharing: ThreadSharing = soleThread,
) {
  const places = compiler.listTable();
  const source = createObjectSource(feed, sharing);
  const renew = createRenewal(compiler, places.lists);
  const lists = createListRenewal(compiler, feed, places, sharing);
  const drafted = createDraftCompiler(compiler, places.lists, lists.placeUnused);
  let snapshot: CompiledSnapshot = emptySnapshot;
  const servedAs: ServedAs = (object) => servedIn(snapshot, object);
  const catchUpFrom = async (afterRevision: number | undefined, upTo: number) => {
    const { objects, revision, serve } = await source.since(afterRevision, upTo, servedAs);
    const placeLists = await lists.renew(objects, servedAs);
    const renewed = await runInSlices(renew(snapshot, objects, revision), sliceMs, nowMs);
    placeLists();
    snapshot = renewed;
    await serve();
  };
  return {
    current: () => snapshot,
    drafted: (supply: SupplyKind, id: number, draft: Draft) => drafted(snapshot, { kind: supply, id }, draft),
    /** Rejects if the feed fails; the snapshot then stays as it was. */
    load: async () => catchUpFrom(undefined, await feed.revision()),
    /** Rejects like `load`. */
    async catchUp(): Promise<void> {
      const revision = await feed.revision();
      if (revision !== snapshot.revision) await catchUpFrom(snapshot.revision, revision);
    },
    /** Ends all waits of other threads for this one. */
    close: source.close,
  };
}
