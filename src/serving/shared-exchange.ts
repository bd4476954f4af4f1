import type { HealthQuestion } from '../answers/object-health.ts';
import { rateAt } from '../exchange/currency.ts';
import type { ExplainRequest } from '../exchange/exchange.ts';
import { type ConnectedPair, pairWarning } from '../exchange/explain/pair-warning.ts';
import type { ExchangeView } from '../management/exchange/exchange-view.ts';
import type { ThreadChannel } from '../threads/thread-channel.ts';
import type { Delivery } from './delivery.ts';

const topics = {
  revision: 'served revision',
  auctions: 'recent auctions',
  last: 'last request',
  health: 'health',
} as const;

/** Then the thread answers with the revision that it serves. */
const threadWaitMsMax = 1500;

/** In the exchange's terms. */
const asStored = <O extends { readonly document: object }>({ document: settings, ...rest }: O) => ({
  ...rest,
  settings,
});

interface AuctionsQuestion {
  readonly teamId: number;
  readonly asked: Parameters<ExchangeView['auctions']>[1];
}

/** All threads as one, for the management API. */
export function shareExchange(
  delivery: Delivery,
  channel: Pick<ThreadChannel, 'request' | 'respond'>,
): ExchangeView & Pick<Delivery, 'autoFloorRules'> {
  const ownRevision = async (revision: number) => {
    await delivery.untilServed(revision, threadWaitMsMax);
    return delivery.servedRevision();
  };
  const ownAuctions = async ({ teamId, asked }: AuctionsQuestion) => delivery.auctions(teamId, asked);
  channel.respond(topics.revision, (value) => ownRevision(value as number));
  channel.respond(topics.auctions, (value) => ownAuctions(value as AuctionsQuestion));
  channel.respond(topics.health, async (value) => delivery.health(value as HealthQuestion));
  channel.respond(topics.last, async (value) => delivery.explain(value as ExplainRequest));
  const { pass, run, fire } = delivery.testing;
  return {
    autoFloorRules: delivery.autoFloorRules,
    readConsent: delivery.readConsent,
    testPass: pass,
    runTest: run,
    fireTracker: fire,
    publishedLines: async (sellerId, places) => delivery.ownLines(sellerId, places),
    usdPerUnit: (currency) => rateAt({ rates: delivery.rates.current(), timeMs: delivery.now() }, currency),
    judgePair: ({ supply, demand, publisher }) => {
      const pair = { supply: asStored(supply), demand: asStored(demand), publisher: asStored(publisher) };
      return pairWarning(pair as ConnectedPair, { nowMs: delivery.now(), floorsOf: delivery.floorsOf });
    },
    async explain(question) {
      const request = question as ExplainRequest;
      const own = await delivery.explain(request);
      if (own !== 'unseen') return own;
      const others = (await channel.request(topics.last, request)) as (typeof own)[];
      return others.find((other) => other !== 'unseen') ?? 'unseen';
    },
    async servedRevisions(revision) {
      const [own, others] = await Promise.all([
        ownRevision(revision),
        channel.request(topics.revision, revision),
      ]);
      return [own, ...(others as number[])];
    },
    async health(question) {
      const others = await channel.request(topics.health, question);
      return [await delivery.health(question), ...(others as Awaited<ReturnType<Delivery['health']>>[])];
    },
    async auctions(teamId, asked) {
      const question = { teamId, asked };
      const [own, others] = await Promise.all([
        ownAuctions(question),
        channel.request(topics.auctions, question),
      ]);
      return [...own, ...(others as ReturnType<Delivery['auctions']>[]).flat()].sort(
        (one, other) => other.TimeMs - one.TimeMs,
      );
    },
  };
}
