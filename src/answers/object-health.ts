import { type TOptional, type TUnsafe, Type } from 'typebox';
import type { HealthState } from '../reference/health-states.ts';
import { type MeasureName, measures } from '../reference/measures.ts';
import { refusal, type ShownRefusal } from './explanation.ts';
import { measureSchema } from './measure-schema.ts';
import { closedObject, labelled, named, type ReadonlyStatic } from './wire-schema.ts';

export const healthStates = {
  ok: 'Nothing stands out',
  idle: 'It had no request in the last hour',
  warning:
    'Many calls fail, or bids are refused (demand); requests are not filled, or much is invalid (supply)',
  limited: 'One of its limits is reached',
  not_ready: 'It cannot serve until something is set, connected or activated: see `Missing`',
  paused: 'Its partner is not called for a while because calls failed',
  inactive: 'It, or its owner, is not active',
} as const satisfies Readonly<Record<HealthState, string>>;

const ofDemand = ['Calls', 'Answers', 'Timeouts', 'Errors', 'NoBids', 'TimeoutRate', 'Bids'] as const;
export const shownOfDemand = [
  ...ofDemand,
  ...(['PausedCalls', 'CallAttempts', 'UnavailableRate'] as const),
  ...(['SyncCalls', 'MatchedCalls', 'MatchRate'] as const),
  'BidValue',
  'Wins',
  'Impressions',
] as const satisfies readonly MeasureName[];
export const latencies = ['LatencyP50', 'LatencyP95', 'LatencyP99'] as const satisfies readonly MeasureName[];
export const shownOfSupply = [
  'Requests',
  'Opportunities',
  'Wins',
  'Impressions',
  'FillRate',
  'Clicks',
  'Invalid',
] as const;

const reasonMembers = {
  Reason: Type.String({ description: 'Name of the reason, as in explanations' }),
  Help: Type.String({ description: 'What it means, and what changes it' }),
};
const reasonSchema = closedObject(reasonMembers);
/** With its meaning and remedy. */
export type HealthReason = ReadonlyStatic<typeof reasonSchema>;

export const lackSchema = named(
  'Lack',
  closedObject({
    Field: Type.String({ description: 'The field to change' }),
    Message: Type.String({ description: 'What is wrong with it, and what helps' }),
  }),
);
/** What one object lacks. */
export type Lack = ReadonlyStatic<typeof lackSchema>;
const missing = Type.Array(lackSchema, {
  description: 'What keeps it from serving, by the rules of `Warnings` with `Blocking`; empty = it is ready',
});

const ruleMembers = { ...reasonMembers, ...refusal };
const time = (description: string) => Type.String({ description });

type HealthMeasure = (typeof shownOfDemand | typeof latencies | typeof shownOfSupply)[number];
const figureMembers = Object.fromEntries(
  [...new Set<HealthMeasure>([...shownOfDemand, ...latencies, ...shownOfSupply])].map((name) => [
    name,
    Type.Optional(measureSchema(measures[name])),
  ]),
) as {
  readonly [Name in HealthMeasure]: TOptional<TUnsafe<ReturnType<(typeof measures)[Name]['of']>>>;
};

export const healthSchema = closedObject({
  Id: Type.Integer({ description: 'ID of the object' }),
  Name: Type.String({ description: 'Its name' }),
  State: labelled(healthStates, 'Its state: the worst one that applies'),
  Reasons: Type.Array(reasonSchema, { description: 'The reason for the state' }),
  Missing: missing,
  Since: time('Start of the counted time: four whole quarter hours and the current one'),
  LastRequest: Type.Union([time('When it last had a request; after a restart, to the hour'), Type.Null()]),
  ...figureMembers,
  InvalidRate: Type.Optional(
    Type.Union([Type.Number(), Type.Null()], {
      description: 'For supply: `Invalid` per 100 requests, impressions and clicks; null without any',
    }),
  ),
  Unfilled: Type.Optional(
    Type.Array(
      closedObject({
        Parameter: Type.String({
          description:
            'Parameter of the URL, for example `ifa`, or member of the bid request, for example `device.ifa`',
        }),
        Requests: Type.Integer({ description: 'Requests that left it unfilled' }),
        Percent: Type.Number({ description: 'The same per 100 requests' }),
      }),
      {
        description:
          'For supply: macros that requests left unfilled, for example `[IFA]` or `-1`, which count as absent; most frequent first. It covers what the threads of this server saw in this hour and the previous one',
      },
    ),
  ),
  Refusals: Type.Array(
    closedObject({
      ...reasonMembers,
      Refusals: Type.Integer({ description: 'Times, in the last whole hour and the current one' }),
      LostValue: Type.Number({ description: 'USD that the refused bids offered for one impression each' }),
    }),
    {
      description:
        'For demand, what refused it; for supply, what ended its auctions before demand; most frequent first',
    },
  ),
  Limits: Type.Array(closedObject(ruleMembers), { description: 'Limits that refuse at present' }),
  Paused: Type.Optional(
    Type.Union([
      closedObject({
        Until: time('When the last of the threads calls it again'),
        ...reasonMembers,
        Field: Type.Optional(refusal.Field),
        Wanted: Type.Optional(refusal.Wanted),
        Met: Type.Optional(refusal.Met),
        Threads: Type.Integer({ description: 'Threads of this server that do not call it' }),
        OfThreads: Type.Integer({ description: 'Threads of this server' }),
      }),
      Type.Null(),
    ]),
  ),
  LastFault: Type.Optional(
    Type.Union([
      closedObject({
        Time: time('When its auction began'),
        ...ruleMembers,
        HttpStatus: Type.Integer({ description: 'Status of the answer' }),
        Markup: Type.String({
          description: 'Markup of the bid, or the answer that could not be read; truncated text',
        }),
        IsCut: Type.Integer({
          description: 'Whether Markup was truncated after 4,096 characters: 0 or 1',
          enum: [0, 1],
        }),
        IsTolerated: Type.Integer({
          description:
            'Whether the answer was used anyway because only the type of a member was wrong: 0 or 1',
          enum: [0, 1],
        }),
      }),
      Type.Null(),
    ]),
  ),
});

export type Health = ReadonlyStatic<typeof healthSchema>;

/** A demand object's last invalid answer. */
export interface LastFault extends ShownRefusal {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly httpStatus: number;
  /** The refused ad or unreadable answer as received; cut. */
  readonly markup: string;
  readonly isCut: boolean;
  /** A member had the wrong type, but could be read all the same. */
  readonly isTolerated: boolean;
}

export interface ObjectHealth {
  readonly id: number;
  readonly lastRequestMs: number | undefined;
  readonly lastFault: LastFault | undefined;
  /** Since when the partner is paused, and until when at least; undefined if it is not. */
  readonly pause: { readonly untilMs: number; readonly refusal: ShownRefusal | undefined } | undefined;
  /** Limits that would now refuse a request, or an ad that costs nothing. */
  readonly limits: readonly ShownRefusal[];
  /** Of a supply object, in this and the previous hour; undefined without requests. */
  readonly unfilled: UnfilledCounts | undefined;
  readonly inactive: readonly ShownRefusal[];
}

export interface HealthQuestion {
  readonly teamId: number;
  readonly kind: string;
  readonly ids: readonly number[];
  /** Only objects with a pause, a limit or an inactive part, as far as this is known without asking others. */
  readonly isBrief?: boolean;
}

/** How many requests an object had, and in how many each name was unfilled. */
export interface UnfilledCounts {
  readonly requests: number;
  readonly byName: readonly (readonly [name: string, requests: number])[];
}
