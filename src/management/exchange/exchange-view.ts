import type { AskedAuctions, Explanation, HeldAuction } from '../../answers/explanation.ts';
import type { HealthQuestion, ObjectHealth } from '../../answers/object-health.ts';
import type { FiredTracker, Tester, TestRefusal, TestResult } from '../../answers/test-result.ts';
import type { AskedRequest, ExplainQuestion } from './explain-question.ts';
import type { PairJudge } from './pair-warnings.ts';

/** What is tested: an object, with a request or the last one that was seen; or a test URL. */
export interface TestRequest extends Tester {
  readonly kind?: string | undefined;
  readonly id?: number | undefined;
  readonly request?: AskedRequest | undefined;
  readonly url?: string | undefined;
}

/** What a test URL is made of: the query parameter and its value, where the exchange is reached, and until when. */
export interface TestPass {
  readonly parameter: string;
  readonly pass: string;
  readonly base: string;
  /** Milliseconds since 1970. */
  readonly expiresMs: number;
}

/** Where ads are shown: a site, or an app, `""` for what is not said. */
export interface AdPlace {
  readonly site: string;
  readonly appBundle: string;
  readonly appStoreUrl: string;
}

export interface PublishedLines {
  /** Our name in these files. */
  readonly system: string;
  readonly lines: readonly {
    readonly file: 'ads.txt' | 'app-ads.txt';
    readonly place: string;
    readonly url: string;
    readonly finding: 'yes' | 'no' | 'missing' | undefined;
  }[];
}

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
  /** The last auctions of a team, or those of them that are asked for, the newest first. */
  auctions(teamId: number, asked: AskedAuctions): Promise<readonly HeldAuction[]>;
  /** Whether places authorize a seller of ours, as far as it is known; what is not is found out for the next question. */
  publishedLines(sellerId: string, places: readonly AdPlace[]): Promise<PublishedLines>;
  /** What each thread knows of the health of objects of a kind. */
  health(question: HealthQuestion): Promise<readonly (readonly ObjectHealth[])[]>;
}
