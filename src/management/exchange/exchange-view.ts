import type { ConsentReading, SentConsent } from '../../answers/consent-reading.ts';
import type { AskedAuctions, Explanation, HeldAuction } from '../../answers/explanation.ts';
import type { HealthQuestion, ObjectHealth } from '../../answers/object-health.ts';
import type { FiredTracker, Tester, TestRefusal, TestResult } from '../../answers/test-result.ts';
import type { AskedRequest, ExplainQuestion } from './explain-question.ts';
import type { PairJudge } from './pair-warnings.ts';

/** An object with a request (by default the last one seen), or a test URL. */
export interface TestRequest extends Tester {
  readonly kind?: string | undefined;
  readonly id?: number | undefined;
  readonly request?: AskedRequest | undefined;
  readonly url?: string | undefined;
}

/** The query parameter and its value, where the exchange is reached, and until when. */
export interface TestPass {
  readonly parameter: string;
  readonly pass: string;
  readonly base: string;
  readonly expiresMs: number;
}

/** A site, or an app; `""` = unknown. */
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
    readonly business: { readonly owner: string; readonly managers: readonly string[] } | undefined;
  }[];
}

/** Of all threads, ready to be sent. */
export interface ExchangeView {
  /** Undefined if the team has no such object; `unseen` if no request is given and no thread has seen one. */
  explain(question: ExplainQuestion): Promise<Explanation | 'unseen' | undefined>;
  /** Undefined if the team has no such object. */
  testPass(object: Tester & { readonly kind: string; readonly id: number }): TestPass | undefined;
  runTest(request: TestRequest): Promise<TestResult | TestRefusal>;
  /** Listed by a test of the user. */
  fireTracker(tracker: Tester & { readonly url: string }): Promise<FiredTracker | TestRefusal>;
  /** What one unit of a currency is worth in USD now; undefined without a current rate. */
  usdPerUnit(currency: string): number | undefined;
  /** By the rules of the auction. */
  readonly judgePair: PairJudge;
  /** Of each thread, once it serves `revision`, or after a short wait. */
  servedRevisions(revision: number): Promise<readonly number[]>;
  /** The newest first. */
  auctions(teamId: number, asked: AskedAuctions): Promise<readonly HeldAuction[]>;
  /** By the team's settings and the rules of auctions. */
  readConsent(teamId: number, sent: SentConsent, vendors: readonly number[]): ConsentReading;
  /** Whether places authorize our seller, as far as known; the rest is found out for the next question. */
  publishedLines(sellerId: string, places: readonly AdPlace[]): Promise<PublishedLines>;
  /** What each thread knows. */
  health(question: HealthQuestion): Promise<readonly (readonly ObjectHealth[])[]>;
}
