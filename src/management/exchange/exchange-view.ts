import type { ExplainQuestion } from './explain-question.ts';
import type { Explanation, HeldAuction } from './explanation-schemas.ts';
import type { PairJudge } from './pair-warnings.ts';

/** What the management API may ask of the exchange, in all threads. What comes back is ready to be sent. */
export interface ExchangeView {
  /** Undefined if the team has no such object, `unseen` if no request is given and no thread has seen one. */
  explain(question: ExplainQuestion): Promise<Explanation | 'unseen' | undefined>;
  /** Why a connected pair can never match, by the rules of the auction. */
  readonly judgePair: PairJudge;
  /** The revision that each thread serves. A thread answers once it serves `revision`, or after a short wait. */
  servedRevisions(revision: number): Promise<readonly number[]>;
  /** The last auctions of a team, or of one of its objects, the newest first. */
  auctions(
    teamId: number,
    supply: { readonly kind: string; readonly id: number } | undefined,
  ): Promise<readonly HeldAuction[]>;
}
