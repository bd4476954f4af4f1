import { openStore } from '../../src/store/open-store.ts';
import { analyticsConfig, keptOn } from '../clickhouse/kept-singly.ts';
import { randomFrom } from '../support/seed.ts';
import { startMs } from './counting.ts';
import { auctionFacts, type Market, play } from './ledger.ts';
import { loggedSink } from './store-sink.ts';

/**
 * A process of its own: opens the store at a URL and plays the auctions `from`, `from` + 1, … of a seed in several
 * streams until it is killed. Prints the number of an auction when it begins, and `flushed <number>` once everything
 * that was counted of the auctions before that one is in the database.
 */
const [url = '', seed = '0', from = '0', market = '', outbox = '', analyticsUrl = ''] = process.argv.slice(2);
const about: Market = JSON.parse(market);
const store = await openStore({ url, now: Date.now });
// By a later clock the events would have expired, and be forgotten.
const now = () => startMs;
const kept =
  analyticsUrl === '' ? undefined : await keptOn(store, analyticsConfig(analyticsUrl, outbox), Date.now);
const { facts, part } = kept?.kept ?? {};
const sink = await loggedSink({ store, outboxFolder: outbox, now, facts, leaveTo: part?.id });
const atATime = 8;
for (let auction = Number(from); ; auction += atATime) {
  const some = Array.from({ length: atATime }, (_, index) => auction + index);
  process.stdout.write(`${auction + atATime}\n`);
  await Promise.all(
    some.map((one) => {
      const facts = auctionFacts(randomFrom(Number(seed) + one), about);
      return play(facts, sink, undefined, `auction ${one}`);
    }),
  );
  // As the sink itself does it, once a second.
  await kept?.kept.facts.flush();
  await sink.flush();
  process.stdout.write(`flushed ${auction + atATime}\n`);
}
