import type { ExplainQuestion } from './explain-question.ts';
import type { Explanation, HeldAuction } from './explanation-schemas.ts';
import type { PairJudge } from './pair-warnings.ts';
import type { FiredTracker, Tester, TestPass, TestRefusal, TestRequest, TestResult } from './test-schemas.ts';

/** What the management API may ask of the exchange, in all threads. What comes back is ready to be sent. */
export interface ExchangeView {
  /** Undefined if the team has no such object, `unseen` if no request is given and no thread has seen one. */
  explain(question: ExplainQuestion): Promise<Explanation | 'unseen' | undefined>;
  /** A pass for a test of an object by the user, and what its URL is made of; undefined if the team has none such. */
  testPass(object: Tester & { readonly kind: string; readonly id: number }): TestPass | undefined;
  /** Holds the auction of a test, which asks demand and counts nothing. */
  runTest(request: TestRequest): Promise<TestResult | TestRefusal>;
  /** Calls a partner's tracker that a test of the user has listed. */
  fireTracker(tracker: Tester & { readonly url: string }): Promise<FiredTracker | TestRefusal>;
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
