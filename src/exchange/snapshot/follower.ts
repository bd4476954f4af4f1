import { setImmediate as turn } from 'node:timers/promises';
import type { ConfigurationFeed } from '../configuration.ts';
import type { Compile } from './compile.ts';
import { type CompiledSnapshot, emptySnapshot } from './compiled-snapshot.ts';
import type { CompiledSupply } from './compiled-supply.ts';
import { gather } from './gather.ts';
import { createListRenewal } from './list-renewal.ts';
import { createRenewal } from './renew.ts';

/** For so long, candidates are indexed before the swap; the rest when their supply is next asked for. */
const indexMsMax = 250;
const sliceMs = 5;

async function indexAhead(supplies: readonly CompiledSupply[]): Promise<void> {
  const endMs = performance.now() + indexMsMax;
  let sliceEndMs = performance.now() + sliceMs;
  for (const { candidates } of supplies) {
    candidates.prepare?.();
    const nowMs = performance.now();
    if (nowMs > endMs) return;
    if (nowMs < sliceEndMs) continue;
    await turn();
    sliceEndMs = performance.now() + sliceMs;
  }
}

/** Brings a snapshot up to a feed, from one whole snapshot to the next. */
export function createFollower(feed: ConfigurationFeed, compile: Compile) {
  const places = compile.listPlaces();
  const renew = createRenewal(compile, places.lists);
  const renewLists = createListRenewal(compile, feed, places);
  let snapshot: CompiledSnapshot = emptySnapshot;
  const bringOn = async (afterRevision: number | undefined) => {
    const { objects, revision } = await gather(feed, afterRevision);
    const placeLists = await renewLists(objects);
    const renewed = renew(snapshot, objects, revision);
    await indexAhead(renewed.unindexed);
    placeLists();
    snapshot = renewed.snapshot;
  };
  return {
    current: () => snapshot,
    /** Reads everything. Rejects when the feed fails; the snapshot stays as it was. */
    load: () => bringOn(undefined),
    /** Reads what has changed since. Rejects like `load`. */
    async catchUp(): Promise<void> {
      if ((await feed.revision()) !== snapshot.revision) await bringOn(snapshot.revision);
    },
  };
}
