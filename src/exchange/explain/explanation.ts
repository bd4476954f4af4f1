import { cpmUsdOf } from '../money.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';

/** What became of a demand object in an auction, or would. */
export interface ExplainedCandidate {
  /** Key of its entity, as `DspVastTag`. */
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  /** `won`, `fallback` (shown when the winner fails), `asked` (would be asked for a bid), or `refused`. */
  readonly Outcome: 'won' | 'fallback' | 'asked' | 'refused';
  /** Name of the reason that refused it, as `country_not_targeted`; else `""`. */
  readonly Rule: string;
  /**
   * The field whose rule refused it (`""` where there is none), with the value wanted and the one met (null where there
   * is none).
   */
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
  /** CPM in USD: of a winner the clearing price, else its bid; null where there was none. */
  readonly Price: number | null;
}

/** What became of an opportunity, or would. */
export interface Explanation {
  readonly Status: 'Ok';
  /** `won`, `open` (demand would have to be asked), or the reason why nothing would be answered. */
  readonly Outcome: string;
  /** Where the request was refused as a whole: the field, and what it wanted and met; else `""` and null. */
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
  readonly Candidates: readonly ExplainedCandidate[];
}

/** Values as JSON has them: sets are arrays, and what is absent is null. */
function shown(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  return value ?? null;
}

/** A refusal as explanations show it. Without one, the members are there too, but empty. */
export function shownRefusal(refusal: Refusal | undefined) {
  return { Field: refusal?.field ?? '', Wanted: shown(refusal?.wanted), Met: shown(refusal?.met) };
}

/** A demand object with its outcome; `priceCpmMicros` where it has bid. */
export function explainedCandidate(
  demand: Demand,
  outcome: ExplainedCandidate['Outcome'],
  refusal: Refusal | undefined,
  priceCpmMicros: number | undefined,
): ExplainedCandidate {
  return {
    Entity: demand.kind,
    Id: demand.id,
    Name: demand.name,
    Outcome: outcome,
    Rule: refusal?.reason ?? '',
    ...shownRefusal(refusal),
    Price: priceCpmMicros === undefined ? null : cpmUsdOf(priceCpmMicros),
  };
}
