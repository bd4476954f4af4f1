import { openStore } from '../../src/store/open-store.ts';
import { impression, pairOf, startMs } from './counting.ts';
import { loggedSink } from './store-sink.ts';

/**
 * A process of its own: opens the store at a URL and a part of the log's folder, and bills impressions of the auctions `from`, `from` + 1, … in several
 * streams until it is killed, each twice. Prints every answer once it has it: the auction, and 1 where it counted.
 */
const [url = '', from = '0', outboxFolder = ''] = process.argv.slice(2);
const store = await openStore({ url, now: Date.now });
// By a later clock the events would have expired, and be forgotten.
const sink = await loggedSink({ store, outboxFolder, now: () => startMs });
const pair = pairOf({ kind: 'VastTag', id: 1 }, { kind: 'Campaign', id: 1 });
let next = Number(from);

const bill = async (auction: number) => {
  const counted = await sink.bill(impression(`auction ${auction}`, pair));
  process.stdout.write(`${auction} ${Number(counted)}\n`);
};
const stream = async () => {
  for (;;) {
    const auction = next;
    next += 1;
    await Promise.all([bill(auction), bill(auction)]);
  }
};
await Promise.all(Array.from({ length: 8 }, stream));
