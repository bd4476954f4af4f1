import type { ExplainQuestion } from './explain-question.ts';
import type { Explanation, HeldAuction } from './explanation-schemas.ts';
import type { PairJudge } from './pair-warnings.ts';
import type { FiredTracker, Tester, TestPass, TestRefusal, TestRequest, TestResult } from './test-schemas.ts';

type ObjectOfKind = { readonly kind: string; readonly id: number };

/** Which auctions are asked for: of a supply object, with a demand object, in which a reason refused. */
export interface AskedAuctions {
  readonly supply?: ObjectOfKind | undefined;
  readonly demand?: ObjectOfKind | undefined;
  readonly reason?: string | undefined;
}

/** Objects of a kind in a team, whose health is asked. */
export interface HealthQuestion {
  readonly teamId: number;
  readonly kind: string;
  readonly ids: readonly number[];
}

/** A refusal, as explanations show it. */
export interface ShownRefusal {
  readonly Rule: string;
  readonly Help: string;
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
}

/** What a thread knows of an object's health; times are milliseconds since 1970. */
export interface ObjectHealth {
  /** How many requests of this hour and the one before it left what unfilled; undefined where there was none. */
  readonly unfilled:
    | {
        readonly requests: number;
        readonly byName: readonly (readonly [name: string, requests: number])[];
      }
    | undefined;
  readonly id: number;
  readonly lastRequestMs: number | undefined;
  readonly lastFault:
    | (ShownRefusal & {
        readonly timeMs: number;
        readonly httpStatus: number;
        readonly markup: string;
        readonly isCut: boolean;
        readonly isTolerated: boolean;
      })
    | undefined;
  readonly pause: { readonly untilMs: number; readonly refusal: ShownRefusal | undefined } | undefined;
  readonly limits: readonly ShownRefusal[];
  readonly inactive: readonly ShownRefusal[];
}

/** Where ads are shown: a site, or an app, `""` for what is not said. */
export interface AdPlace {
  readonly site: string;
  readonly appBundle: string;
  readonly appStoreUrl: string;
}

/** What is published of a seller of ours. */
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
