import type { ApiRequest } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';
import type { AskedRequest, Explanation, RuleRefusal } from '../why/explanation.ts';

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

/** A URL for a player of one's own, which works for five minutes and counts nothing. */
export interface TestUrl {
  readonly Url: string;
  readonly Expires: string;
}

/** Asks for an auction that counts nothing, of a request or of the last that was seen; answers a `TestResult`. */
export const testRequest = (entity: ShownEntity, Id: number, Request?: AskedRequest): ApiRequest => ({
  path: 'api/exchange/test/run',
  body: { Entity: entity.key, Id, ...(Request && { Request }) },
});

/** Asks for a `TestUrl`. */
export const testUrlRequest = (entity: ShownEntity, Id: number): ApiRequest => ({
  path: 'api/exchange/test',
  body: { Entity: entity.key, Id },
});

/** Has a partner's tracker called for real; answers what was `Fired`. */
export const fireRequest = ({ DormantUrl }: Tracker): ApiRequest => ({
  path: 'api/exchange/test/fire',
  body: { Url: DormantUrl },
});
