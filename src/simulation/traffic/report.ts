import { quartileEvents } from '../../protocols/vast/build-vast.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { TagCounts } from './management.ts';
import { type Latency, latencyOf, type Tally } from './tally.ts';

interface TrackerCalls {
  readonly ads: number;
  readonly called: number;
  readonly acknowledged: number;
}

/** As JSON, and as text by `reportText`. */
export interface SimulationReport {
  readonly seconds: number;
  readonly seed: number;
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Not made, because too many players were active already. */
  readonly skipped: number;
  /** Not answered with 200 and readable VAST. */
  readonly failed: number;
  readonly filled: number;
  readonly fillPercent: number;
  readonly latencyMs: Latency;
  readonly errors: Readonly<Record<string, number>>;
  /** By event: filled ads with a tracker of it, calls, and calls acknowledged. */
  readonly trackers: Readonly<Record<string, TrackerCalls>>;
  /** By the exchange; null if its management API was not asked. */
  readonly counted: TagCounts | null;
}

export interface SimulationRun {
  readonly tally: Tally;
  readonly seed: number;
  readonly seconds: number;
  readonly counted: TagCounts | undefined;
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Rates per second, latencies in milliseconds, money in USD. */
export function simulationReport({ tally, seed, seconds, counted }: SimulationRun): SimulationReport {
  const { requests, failed, filled, skipped, errors, adsWithTracker, called, acknowledged, latenciesMs } =
    tally;
  const trackers = Object.entries(called).map(([event, calls]) => {
    const found: TrackerCalls = {
      ads: ownMember(adsWithTracker, event) ?? 0,
      called: calls,
      acknowledged: ownMember(acknowledged, event) ?? 0,
    };
    return [event, found] as const;
  });
  return {
    seconds: rounded(seconds, 2),
    seed,
    requests,
    requestsPerSecond: rounded(requests / seconds, 1),
    skipped,
    failed,
    filled,
    fillPercent: rounded(requests === 0 ? 0 : (100 * filled) / requests, 2),
    latencyMs: latencyOf(latenciesMs),
    errors,
    trackers: Object.fromEntries(trackers),
    counted: counted ?? null,
  };
}

const numberText = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

const eventOrder = ['impression', ...quartileEvents, 'click', 'error'];

/** `273 of 275 calls acknowledged; 281 ads have this tracker`: quartiles are in ads that the exchange itself builds. */
function trackerText({ ads, called, acknowledged }: TrackerCalls): string {
  const calls = `${numberText(acknowledged)} of ${numberText(called)} calls acknowledged`;
  return ads > 0 ? `${calls}; ${numberText(ads)} ads have this tracker` : calls;
}

function trackerLines({ trackers }: SimulationReport): (readonly [string, string])[] {
  const own = eventOrder.flatMap((event) => {
    const calls = ownMember(trackers, event);
    return calls ? [[event, calls] as const] : [];
  });
  const others = Object.entries(trackers).filter(([event]) => !eventOrder.includes(event));
  const sum = (figure: 'called' | 'acknowledged') =>
    others.reduce((total, [, calls]) => total + calls[figure], 0);
  // An ad may have several of them: their ads cannot be added up.
  const ofDemand = { ads: 0, called: sum('called'), acknowledged: sum('acknowledged') };
  const lines = ofDemand.called > 0 ? [...own, ['of demand', ofDemand] as const] : own;
  return lines.map(([event, calls]) => [event, trackerText(calls)]);
}

function errorLines({ errors }: SimulationReport): (readonly [string, string])[] {
  const all = Object.entries(errors);
  if (all.length === 0) return [['errors', 'none']];
  return all.map(([name, times]) => ['error', `${numberText(times)} × ${name}`]);
}

function countedLines({ counted }: SimulationReport): (readonly [string, string])[] {
  if (!counted) return [['revenue', 'unknown: the management API was not called']];
  const { requests, impressions, clicks, revenue, spent } = counted;
  const counts = [`${numberText(requests)} requests`, `${numberText(impressions)} impressions`];
  return [
    ['counted', `${counts.join(', ')}, ${numberText(clicks)} clicks`],
    ['revenue', `${numberText(revenue)} USD, of which publishers get ${numberText(spent)}`],
  ];
}

export function reportText(report: SimulationReport): string {
  const { requests, requestsPerSecond, skipped, filled, fillPercent, latencyMs } = report;
  const { p50, p95, p99, max } = latencyMs;
  const lines: readonly (readonly [string, string])[] = [
    ['requests', `${numberText(requests)} (${numberText(requestsPerSecond)} per second)`],
    ...(skipped > 0 ? [['skipped', `${numberText(skipped)}: too many players were waiting`] as const] : []),
    ['filled', `${numberText(filled)} requests (${numberText(fillPercent)} %) with an ad`],
    ['latency', `of answered requests: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms`],
    ...trackerLines(report),
    ...errorLines(report),
    ...countedLines(report),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
