import { Type } from 'typebox';
import { bidfloor, candidateSchema, refusal, refusals } from './explanation.ts';
import { closedObject, named, okStatus, type ReadonlyStatic } from './wire-schema.ts';

const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ description });

export const callSchema = named(
  'TestCall',
  closedObject({
    Entity: text('Kind of the demand object'),
    Id: integer('Its ID'),
    Name: text('Its name'),
    Method: text('GET or POST'),
    Url: text('The URL that was called'),
    Sent: text('The body that was sent, truncated after 16 KiB; "" = none'),
    StartMs: integer('Milliseconds from the start of the auction to the call'),
    DurationMs: integer('Duration in milliseconds'),
    HttpStatus: integer('Status of the answer; 0 = no answer'),
    Answer: text(
      'The answer as text, truncated after 16 KiB. It is untrusted: show it as text, never as markup',
    ),
    IsCut: integer('1 = `Answer` is only the beginning'),
    Refusals: refusals('Why there is no answer; empty if there is one'),
  }),
);

export type TestCall = ReadonlyStatic<typeof callSchema>;

const trackerSchema = named(
  'PartnerTracker',
  closedObject({
    Event: text(
      'What it reports: an event of VAST, `nurl`, `burl`, `lurl`, `landing`, `load` or `click` of HTML',
    ),
    Url: text("The partner's URL"),
    DormantUrl: text(
      'A URL of ours that replaces it in `Markup`, does nothing, and can be passed to `exchange/test/fire`; "" = it cannot be fired',
    ),
  }),
);

export type PartnerTracker = ReadonlyStatic<typeof trackerSchema>;

const resultMembers = {
  AuctionId: text('ID of the auction, as sent to demand'),
  Outcome: text('won, or the reason why there is no ad, for example `below_floor`'),
  ...bidfloor,
  ...refusal,
  Refusals: refusals('Why the request as a whole was refused'),
  Candidates: Type.Array(candidateSchema, {
    description: 'Connected demand objects, each with every rule that refuses it or its bid; at most 100',
  }),
  Calls: Type.Array(callSchema, {
    description: 'Calls to demand, in the order in which they ended; at most 100',
  }),
  Markup: text('The winner\'s ad; in VAST, trackers are replaced by their `DormantUrl`. "" = nobody won'),
  Trackers: Type.Array(trackerSchema, { description: "Partners' trackers in the ad; at most 200" }),
};

export const testResultSchema = named('TestResult', closedObject({ Status: okStatus, ...resultMembers }));

const firedMembers = {
  Url: text("The partner's URL that was called"),
  HttpStatus: integer('Status of the answer; 0 = no answer'),
  DurationMs: integer('Duration in milliseconds'),
  Rule: text('Why there was no answer, for example `private_address`; "" if there was one'),
};

export const firedSchema = named('FiredTracker', closedObject({ Status: okStatus, ...firedMembers }));

export type TestResult = Omit<ReadonlyStatic<typeof testResultSchema>, 'Status'>;

export type FiredTracker = Omit<ReadonlyStatic<typeof firedSchema>, 'Status'>;

/** The caller may not (any more), asks too often, or with an invalid or expired URL. */
export type TestRefusal = 'not_allowed' | 'too_many' | 'expired' | 'unknown' | 'inactive';

export interface Tester {
  readonly teamId: number;
  readonly userId: number;
}
