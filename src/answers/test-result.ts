import { Type } from 'typebox';
import { candidateSchema, refusal, refusals } from './explanation.ts';
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
    Url: text('What was called'),
    Sent: text('The body that was sent, cut after 16 KiB; "" = none'),
    StartMs: integer('Milliseconds from the beginning of the auction to the call'),
    DurationMs: integer('Milliseconds that it took'),
    HttpStatus: integer('Status of the answer; 0 = none came'),
    Answer: text(
      "The answer as text, cut after 16 KiB. It is a stranger's: show it as text, never as markup",
    ),
    IsCut: integer('1 = `Answer` is only the beginning'),
    Refusals: refusals('Why there is no answer; empty where one came'),
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
      'A URL of ours that stands for it in `Markup`, does nothing, and is what `exchange/test/fire` takes; "" = it cannot be fired',
    ),
  }),
);

export type PartnerTracker = ReadonlyStatic<typeof trackerSchema>;

const resultMembers = {
  AuctionId: text('ID of the auction, as demand was told it'),
  Outcome: text('won, or the reason why nothing is answered, as `below_floor`'),
  ...refusal,
  Refusals: refusals('Why the request as a whole was refused'),
  Candidates: Type.Array(candidateSchema, {
    description: 'Connected demand, each with every rule that refuses it or its bid; at most 100',
  }),
  Calls: Type.Array(callSchema, { description: 'Calls of demand, in the order of their ends; at most 100' }),
  Markup: text('The winner\'s ad; in VAST, trackers are replaced by their `DormantUrl`. "" = nobody won'),
  Trackers: Type.Array(trackerSchema, { description: "Partners' trackers that were found; at most 200" }),
};

export const testResultSchema = named('TestResult', closedObject({ Status: okStatus, ...resultMembers }));

const firedMembers = {
  Url: text("The partner's URL that was called"),
  HttpStatus: integer('Status of the answer; 0 = none came'),
  DurationMs: integer('Milliseconds that it took'),
  Rule: text('Why no answer came, as `private_address`; "" where one came'),
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
