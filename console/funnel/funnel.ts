import { notTakenReasons, type ReasonStage, reasonStages } from '../../src/reference/reason-stages.ts';

/** Where a funnel loses something. `requests`: what the supply object ends before any demand. */
export type LossStage = ReasonStage | 'requests';

/** A reason for refusals, with how many and what their bids offered. */
export interface Loss {
  readonly reason: string;
  readonly help: string;
  readonly stage: LossStage;
  readonly refusals: number;
  /** USD that the refused bids offered for one impression each. */
  readonly lostValue: number;
}

/** A bar of the funnel: how many came so far, and what became of those that went no further. */
export interface Step {
  readonly key: string;
  readonly count: number;
  /** USD that its bids offered for one impression each. */
  readonly value?: number;
  /** What is counted: requests of a supply object, or what was offered to demand objects. */
  readonly unit: 'requests' | 'offers';
  readonly losses: readonly { readonly stage: LossStage; readonly count: number }[];
  /**
   * How many more went on than came and were not lost (below 0: fewer): what reasons and counts alone do not tell; 0
   * where all adds up.
   */
  readonly gap: number;
}

export interface Funnel {
  readonly steps: readonly Step[];
  /** All reasons, those of the greatest lost value first. */
  readonly losses: readonly Loss[];
  /** Requests that a limit of the supply object did not even take; they come on top. */
  readonly notTaken: number;
  /** Impressions that requests offered. */
  readonly opportunities: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Of an answer, what a funnel needs. */
interface Answered {
  readonly Rows: readonly Row[];
  readonly Total: Row;
}

/** The answers that a funnel is made of; those of the supply object alone are absent for a demand object. */
interface FunnelAnswers {
  readonly own?: Answered;
  readonly ownReasons?: Answered;
  readonly offered: Answered;
  readonly reasons: Answered;
}

const stageByReason = new Map<string, ReasonStage>(
  Object.entries(reasonStages).flatMap(([stage, names]) =>
    names.map((name) => [name, stage as keyof typeof reasonStages] as const),
  ),
);

const figureIn = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);

/** A limit refuses before the call, or a bid: then it has lost a value. */
const stageOf = (reason: string, lostValue: number): ReasonStage =>
  stageByReason.get(reason) ?? (lostValue > 0 ? 'bids' : 'rules');

function lossesIn(answer: Answered | undefined, isOwn: boolean): readonly Loss[] {
  return (answer?.Rows ?? []).map((row) => {
    const [reason, lostValue] = [String(row.Reason), figureIn(row, 'LostValue')];
    return {
      reason,
      help: String(row.ReasonHelp ?? ''),
      lostValue,
      refusals: figureIn(row, 'Refusals'),
      stage: isOwn ? 'requests' : stageOf(reason, lostValue),
    };
  });
}

const byCost = (one: Loss, other: Loss) =>
  other.lostValue - one.lostValue || other.refusals - one.refusals || one.reason.localeCompare(other.reason);

/** Adds up what the exchange has counted to a funnel. */
export function funnelIn({ own, ownReasons, offered, reasons }: FunnelAnswers): Funnel {
  const losses = [...lossesIn(ownReasons, true), ...lossesIn(reasons, false)].toSorted(byCost);
  const lost = (stage: LossStage) =>
    losses.reduce((sum, loss) => sum + (loss.stage === stage ? loss.refusals : 0), 0);
  const counted = (name: string) => figureIn(offered.Total, name);
  // Campaigns and direct links bid without a call; they take part in each step all the same.
  const uncalled = counted('UncalledBids');
  const [Calls, Answers] = [counted('Calls') + uncalled, counted('Answers') + uncalled];
  const Bids = counted('Bids');
  const [Wins, Impressions] = [counted('Wins'), counted('Impressions')];
  const step = (
    key: string,
    count: number,
    stages: readonly LossStage[],
    next: number | undefined,
    more: Partial<Step> = {},
  ): Step => {
    const parts = stages.map((stage) => ({ stage, count: lost(stage) }));
    const left = parts.reduce((sum, part) => sum - part.count, count);
    return { key, count, unit: 'offers', losses: parts, gap: next === undefined ? 0 : next - left, ...more };
  };
  const requests = figureIn(own?.Total, 'Requests');
  return {
    losses,
    notTaken: losses
      .filter(({ reason, stage }) => stage === 'requests' && notTakenReasons.some((one) => one === reason))
      .reduce((sum, { refusals }) => sum + refusals, 0),
    opportunities: figureIn(own?.Total, 'Opportunities'),
    steps: [
      ...(own ? [step('Requests', requests, ['requests'], undefined, { unit: 'requests' })] : []),
      step('Offered', lost('rules') + lost('notCalled') + Calls, ['rules', 'notCalled'], Calls),
      step('Calls', Calls, ['timeouts', 'errors'], Answers),
      step('Answers', Answers, ['noBids'], Bids),
      step('Bids', Bids, ['bids'], Wins, { value: counted('BidValue') }),
      step('Wins', Wins, [], Impressions),
      step('Impressions', Impressions, [], undefined),
    ],
  };
}
