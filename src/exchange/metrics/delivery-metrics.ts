import { supplyKindNames } from '../../entities/kinds.ts';
import { countedAs, onceEvents } from '../../reference/counters.ts';
import type { EventSink } from '../../statistics/events.ts';
import type { Auction } from '../auction/auction.ts';
import type { Outbound } from '../demand/outbound.ts';
import { usdOf } from '../money.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { Tokens } from '../trackers/tokens.ts';
import {
  counter,
  createDurations,
  createNamedCounts,
  createNestedCounts,
  gauge,
  type Metric,
} from './metric.ts';

const reasonNames = Object.keys(reasons) as readonly Reason[];
const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5];

function countAuctions() {
  const auctions = createNestedCounts(supplyKindNames, ['won', ...reasonNames]);
  const refused = createNamedCounts(reasonNames);
  return {
    note({ supply, ranking, refusal, candidates }: Auction): void {
      auctions.add(supply.kind, ranking.length > 0 ? 'won' : (refusal?.reason ?? 'no_bid'));
      for (const candidate of candidates) if (candidate.refusal) refused.add(candidate.refusal.reason);
    },
    figures: (): Metric[] => [
      counter(
        'bourse_auctions_total',
        'Auctions by kind of supply object and by outcome: won, or why there was no ad',
        auctions.values('supply', 'outcome'),
      ),
      counter(
        'bourse_demand_refused_total',
        'Demand objects that matched the targeting of an auction but did not win it, by reason',
        refused.values('reason'),
      ),
    ],
  };
}

function countCalls(outbound: Outbound, now: () => number) {
  const outcomes = createNamedCounts(['answered', ...reasonNames]);
  const durations = createDurations(boundsSeconds);
  const call: Outbound['call'] = async (partner, request, deadlineMs, mayRepeat) => {
    const beganMs = now();
    const result = await outbound.call(partner, request, deadlineMs, mayRepeat);
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
  const figures = (): Metric[] => [
    counter(
      'bourse_demand_calls_total',
      'Calls to demand partners by outcome: answered, or the reason why not',
      outcomes.values('outcome'),
    ),
    {
      name: 'bourse_demand_call_duration_seconds',
      type: 'histogram',
      aggregator: 'sum',
      help: 'Time from a call to a demand partner to the end of its answer, if it answered',
      values: durations.values('bourse_demand_call_duration_seconds'),
    },
    gauge(
      'bourse_demand_paused',
      'Demand partners that are paused after failures; the highest number of any thread',
      outbound.paused(),
    ),
    counter(
      'bourse_notices_total',
      'Win, loss and billing notices to demand partners by outcome',
      noticeValues(),
    ),
  ];
  return { outbound: { ...outbound, call }, figures };
}

function countTrackers(sink: EventSink, tokens: Tokens) {
  const billed = createNestedCounts(onceEvents, ['counted', 'repeated', 'unavailable']);
  let refused = 0;
  let revenueNanos = 0;
  let costNanos = 0;
  const bill: EventSink['bill'] = (event) => {
    const billing = sink.bill(event);
    const note = (outcome: 'counted' | 'repeated' | 'unavailable') => {
      for (const name of countedAs(event)) billed.add(name, outcome);
    };
    billing.then(
      (isCounted) => {
        note(isCounted ? 'counted' : 'repeated');
        if (!isCounted) return;
        revenueNanos += event.revenueNanos;
        // As booked: no publisher gets more than the advertiser pays.
        costNanos += Math.min(event.spentNanos, event.revenueNanos);
      },
      () => note('unavailable'),
    );
    return billing;
  };
  const read: Tokens['read'] = (type, token, nowMs) => {
    const ad = tokens.read(type, token, nowMs);
    if (!ad || nowMs >= ad.expiresMs) refused += 1;
    return ad;
  };
  const figures = (): Metric[] => [
    counter(
      'bourse_billable_events_total',
      'Events that count once per auction, by whether they counted, were repeats, or could not be stored durably',
      billed.values('event', 'outcome'),
    ),
    counter('bourse_revenue_usd_total', 'Amount that advertisers owe for counted billable events, in USD', [
      { labels: {}, value: usdOf(revenueNanos) },
    ]),
    counter('bourse_cost_usd_total', 'Amount owed to publishers for counted billable events, in USD', [
      { labels: {}, value: usdOf(costNanos) },
    ]),
    counter(
      'bourse_trackers_refused_total',
      'Calls to trackers and click URLs whose token is forged, of another type, or too old',
      [{ labels: {}, value: refused }],
    ),
  ];
  return { events: { ...sink, bill }, tokens: { sign: tokens.sign, read }, figures };
}

export interface MeasuredParts {
  readonly outbound: Outbound;
  readonly events: EventSink;
  readonly tokens: Tokens;
  /** Never goes back. */
  readonly now: () => number;
}

/** The thread must use the `outbound`, `events` and `tokens` returned here. */
export function measureDelivery({ outbound, events: sink, tokens, now }: MeasuredParts) {
  const auctions = countAuctions();
  const calls = countCalls(outbound, now);
  const trackers = countTrackers(sink, tokens);
  return {
    outbound: calls.outbound,
    events: trackers.events,
    tokens: trackers.tokens,
    note: auctions.note,
    /** Since the start of the thread. */
    figures: (): Metric[] => [...auctions.figures(), ...calls.figures(), ...trackers.figures()],
  };
}
