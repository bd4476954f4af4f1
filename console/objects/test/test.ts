import { call } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';
import type { Explanation, RuleRefusal } from '../why/explanation.ts';

/** One call of demand in a test. */
export interface TestCall {
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly Method: string;
  readonly Url: string;
  readonly Sent: string;
  readonly StartMs: number;
  readonly DurationMs: number;
  readonly HttpStatus: number;
  readonly Answer: string;
  readonly IsCut: number;
  readonly Refusals: readonly RuleRefusal[];
}

/** A partner's tracker in the ad of a test. */
export interface Tracker {
  readonly Event: string;
  readonly Url: string;
  readonly DormantUrl: string;
}

/** What came of a test. */
export interface TestResult extends Explanation {
  readonly AuctionId: string;
  readonly Calls: readonly TestCall[];
  readonly Markup: string;
  readonly Trackers: readonly Tracker[];
}

/** What came of a tracker that was fired. */
export interface Fired {
  readonly HttpStatus: number;
  readonly DurationMs: number;
  readonly Rule: string;
}

/** Holds an auction that counts nothing, of a request or of the last that was seen. */
export const runTest = async (entity: ShownEntity, id: number, request?: unknown): Promise<TestResult> =>
  (
    await call<TestResult>('api/exchange/test/run', {
      body: { Entity: entity.key, Id: id, ...(request === undefined ? {} : { Request: request }) },
    })
  ).data;

/** A URL for a player of one's own, which works for five minutes and counts nothing. */
export const makeTestUrl = async (entity: ShownEntity, id: number) =>
  (
    await call<{ readonly Url: string; readonly Expires: string }>('api/exchange/test', {
      body: { Entity: entity.key, Id: id },
    })
  ).data;

/** Calls a partner's tracker for real. */
export const fireTracker = async ({ DormantUrl }: Tracker): Promise<Fired> =>
  (await call<Fired>('api/exchange/test/fire', { body: { Url: DormantUrl } })).data;
