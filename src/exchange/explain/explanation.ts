import type { ExplainedCandidate, ShownRefusal } from '../../answers/explanation.ts';
import { reasonHelp } from '../../reference/reason-help.ts';
import { type Candidate, otherBidsOf } from '../auction/auction.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { cpmUsdOf } from '../money.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';

/** Values as JSON has them: sets are arrays, and what is absent is null. */
function shown(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  return value ?? null;
}

/** A refusal as explanations show it. Without one, the members are there too, but empty. */
export function shownRefusal(refusal: Refusal | undefined) {
  return { Field: refusal?.field ?? '', Wanted: shown(refusal?.wanted), Met: shown(refusal?.met) };
}

/** Refusals as explanations list them: each rule of a field once, however many steps ask it. */
export function shownRefusals(refusals: readonly Refusal[]): ShownRefusal[] {
  const byName = new Map<string, ShownRefusal>();
  for (const refusal of refusals) {
    const { reason, field = '' } = refusal;
    const name = `${reason} ${field}`;
    if (!byName.has(name))
      byName.set(name, { Rule: reason, Help: reasonHelp[reason], ...shownRefusal(refusal) });
  }
  return [...byName.values()];
}

/** Most bids of an answer that are shown with what refused them. */
const bidsMax = 16;

/** What refused the bids of a candidate's answer besides the one that took part. */
export function bidRefusals(candidate: Candidate): Refusal[] {
  return otherBidsOf(candidate)
    .filter(({ refusal }) => refusal.reason !== 'lost')
    .slice(0, bidsMax)
    .map(({ refusal }) => refusal);
}

/** What a bid's VAST has lost; nothing is known of one that was not read. */
function droppedFrom({ vast, read = vast }: Bid): readonly string[] {
  return read === undefined || 'fault' in read ? [] : read.dropped;
}

/** What is told of a candidate's bids, where there are any. */
export interface ExplainedBids {
  readonly bid?: Bid | undefined;
  /** The price that counts; the bid's own by default. */
  readonly priceCpmMicros?: number | undefined;
  /** What refused other bids of the answer. */
  readonly ofBids?: readonly Refusal[];
}

/** A demand object with its outcome, all that refuses it, and its bids. */
export function explainedCandidate(
  demand: Demand,
  outcome: ExplainedCandidate['Outcome'],
  refusals: readonly Refusal[],
  { bid, priceCpmMicros = bid?.priceCpmMicros, ofBids = [] }: ExplainedBids = {},
): ExplainedCandidate {
  const [refusal] = refusals;
  return {
    Entity: demand.kind,
    Id: demand.id,
    Name: demand.name,
    Outcome: outcome,
    Rule: refusal?.reason ?? '',
    ...shownRefusal(refusal),
    Refusals: shownRefusals([...refusals, ...ofBids]),
    Price: priceCpmMicros === undefined ? null : cpmUsdOf(priceCpmMicros),
    DroppedElements: bid === undefined ? [] : droppedFrom(bid),
  };
}
