import type { BillableEvent, EventSink } from '../../statistics/events.ts';
import type { Auction } from '../auction/auction.ts';
import type { Outbound } from '../demand/outbound.ts';
import { type Reason, reasons } from '../reasons.ts';
import { supplyKindNames } from '../snapshot/kinds.ts';
import type { Tokens } from '../trackers/tokens.ts';
import { createDurations, createTallies, createTally, type Figure } from './figure.ts';

const reasonNames = Object.keys(reasons) as readonly Reason[];
const events: readonly BillableEvent['event'][] = [
  ...(['bills', 'impressions', 'clicks', 'wins', 'losses'] as const),
  ...(['invalid_impressions', 'invalid_clicks'] as const),
];
const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5];

/** Auctions by what came of them, and selected demand by why it was out. */
function countAuctions() {
  const auctions = createTallies(supplyKindNames, ['won', ...reasonNames]);
  const refused = createTally(reasonNames);
  return {
    note({ supply, ranking, refusal, candidates }: Auction): void {
      auctions.add(supply.kind, ranking.length > 0 ? 'won' : (refusal?.reason ?? 'no_bid'));
      for (const candidate of candidates) if (candidate.refusal) refused.add(candidate.refusal.reason);
    },
    figures: (): Figure[] => [
      {
        ...{ name: 'bourse_auctions_total', type: 'counter', aggregator: 'sum' },
        help: 'Auctions by the kind of their supply object and their outcome: won, or why nothing was answered',
        values: auctions.values('supply', 'outcome'),
      },
      {
        ...{ name: 'bourse_demand_refused_total', type: 'counter', aggregator: 'sum' },
        help: 'Demand objects whose targeting fitted an auction and that did not win it, by reason',
        values: refused.values('reason'),
      },
    ],
  };
}

/** Calls of demand partners, and notices to them. */
function countCalls(outbound: Outbound, now: () => number) {
  const outcomes = createTally(['answered', ...reasonNames]);
  const durations = createDurations(boundsSeconds);
  const call: Outbound['call'] = async (partner, request, deadlineMs) => {
    const beganMs = now();
    const result = await outbound.call(partner, request, deadlineMs);
    if ('reason' in result) {
      outcomes.add(result.reason);
    } else {
      outcomes.add('answered');
      durations.add((now() - beganMs) / 1000);
    }
    return result;
  };
  const noticeValues = () => {
    const { sent, failed, dropped } = outbound.notices();
    return Object.entries({ sent, failed, dropped }).map(([outcome, value]) => ({
      labels: { outcome },
      value,
    }));
  };
  const figures = (): Figure[] => [
    {
      ...{ name: 'bourse_demand_calls_total', type: 'counter', aggregator: 'sum' },
      help: 'Calls of demand partners by outcome: answered, or the reason why not',
      values: outcomes.values('outcome'),
    },
    {
      ...{ name: 'bourse_demand_call_duration_seconds', type: 'histogram', aggregator: 'sum' },
      help: 'Time from a call of a demand partner to the end of its answer, where there is one',
      values: durations.values('bourse_demand_call_duration_seconds'),
    },
    {
      ...{ name: 'bourse_demand_paused', type: 'gauge', aggregator: 'max' },
      help: 'Demand partners that are paused after failures; of the thread with most',
      values: [{ labels: {}, value: outbound.paused() }],
    },
    {
      ...{ name: 'bourse_notices_total', type: 'counter', aggregator: 'sum' },
      help: 'Win, loss and billing notices to demand partners by outcome',
      values: noticeValues(),
    },
  ];
  return { outbound: { ...outbound, call }, figures };
}

/** Billable events, and trackers whose tokens are none. */
function countTrackers(sink: EventSink, tokens: Tokens) {
  const billed = createTallies(events, ['counted', 'repeated', 'unavailable']);
  let refused = 0;
  const bill: EventSink['bill'] = (event) => {
    const billing = sink.bill(event);
    billing.then(
      (isCounted) => billed.add(event.event, isCounted ? 'counted' : 'repeated'),
      () => billed.add(event.event, 'unavailable'),
    );
    return billing;
  };
  const read: Tokens['read'] = (token, nowMs) => {
    const ad = tokens.read(token, nowMs);
    if (!ad) refused += 1;
    return ad;
  };
  const figures = (): Figure[] => [
    {
      ...{ name: 'bourse_billable_events_total', type: 'counter', aggregator: 'sum' },
      help: 'Events that count once for an auction, by whether they counted, had come before, or could not be made durable',
      values: billed.values('event', 'outcome'),
    },
    {
      ...{ name: 'bourse_trackers_refused_total', type: 'counter', aggregator: 'sum' },
      help: 'Calls of trackers and clicks whose token is forged or cut, and of trackers that are too old',
      values: [{ labels: {}, value: refused }],
    },
  ];
  return { events: { count: sink.count, bill }, tokens: { sign: tokens.sign, read }, figures };
}

/** What is counted. */
export interface Counted {
  readonly outbound: Outbound;
  readonly events: EventSink;
  readonly tokens: Tokens;
  /** Milliseconds, never going back. */
  readonly now: () => number;
}

/** Counts what the delivery plane of a thread does; what it counts goes through what it answers. */
export function countDelivery({ outbound, events: sink, tokens, now }: Counted) {
  const auctions = countAuctions();
  const calls = countCalls(outbound, now);
  const trackers = countTrackers(sink, tokens);
  return {
    outbound: calls.outbound,
    events: trackers.events,
    tokens: trackers.tokens,
    note: auctions.note,
    /** Everything since the start of the thread. */
    figures: (): Figure[] => [...auctions.figures(), ...calls.figures(), ...trackers.figures()],
  };
}
