import { Type } from 'typebox';
import { activityHelp } from '../reference/activities.ts';
import { reasonHelp } from '../reference/reason-help.ts';
import { closedObject, labelled, named, okStatus, oneOf, type ReadonlyStatic } from './wire-schema.ts';

const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ description });
const anything = (description: string) => Type.Unknown({ description });

export const refusal = {
  Field: text('Field of the object whose rule refused; "" if none did'),
  Wanted: anything('What the rule requires'),
  Met: anything('What the rule found'),
};

const Rule = text('Name of the reason, for example `country_not_targeted`');

export const pairRefusalSchema = named('PairRefusal', closedObject({ Rule, ...refusal }));

export type PairRefusal = ReadonlyStatic<typeof pairRefusalSchema>;

export const refusalSchema = named(
  'Refusal',
  closedObject({
    Rule,
    Help: text('What it means, and what changes it'),
    ...refusal,
  }),
);

export type ShownRefusal = ReadonlyStatic<typeof refusalSchema>;

export const refusals = (description: string) => Type.Array(refusalSchema, { description });

export const withholdingSchema = named(
  'Withholding',
  closedObject({
    Activities: Type.Array(labelled(activityHelp, 'What is withheld')),
    Wanted: text('What would have permitted it'),
    Met: text('What was there instead'),
  }),
);

export type ShownWithholding = ReadonlyStatic<typeof withholdingSchema>;

const cpmOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description: `${description}; null unless it won` });

export const dealPriceSchema = named(
  'DealPrice',
  closedObject({
    Code: text('Its code'),
    Paid: cpmOrNull('What the buyer pays, in USD CPM'),
    Publisher: cpmOrNull('What the publisher gets of it'),
    CurationFee: cpmOrNull('What the curator gets of it, or the exchange if the deal has no Curator'),
  }),
);

export type DealPrice = ReadonlyStatic<typeof dealPriceSchema>;

const podAdSchema = named(
  'PodAd',
  closedObject({
    Place: integer('Its place in the pod, from 1'),
    Creative: text('ID of its creative; "" = not known'),
    Price: Type.Number({ description: 'What it pays, CPM in USD' }),
    Deal: Type.Union([dealPriceSchema, Type.Null()], {
      description: 'Its deal, and what it pays to whom; null for an open bid',
    }),
  }),
);

export const explainedBidSchema = named(
  'ExplainedBid',
  closedObject({
    Medium: text('`banner`, `video`, `audio`, `native` or `pop`; "" if the bid could not be read'),
    Price: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'CPM in USD that was bid; null if it could not be read',
    }),
    Rule: text('Name of the reason that refused it, for example `lost`; "" if none did'),
  }),
);

export type ExplainedBid = ReadonlyStatic<typeof explainedBidSchema>;
/** A price that was not named in USD. */
export const foreignPriceSchema = named(
  'ForeignPrice',
  closedObject({
    Currency: text('ISO 4217 code, for example `EUR`'),
    Cpm: Type.Number({ description: 'Price of 1,000 impressions in that currency' }),
    Rate: Type.Number({ description: 'What one unit is worth in USD: the rate of the auction' }),
  }),
);

export type ShownForeignPrice = ReadonlyStatic<typeof foreignPriceSchema>;

const foreignPrice = (description: string) => Type.Union([foreignPriceSchema, Type.Null()], { description });

export const bidfloor = {
  Bidfloor: Type.Number({ description: 'Bidfloor of the auction, or of the deal: CPM in USD' }),
  ForeignBidfloor: foreignPrice('The bidfloor as it was named; null if in USD'),
};

export const floorRuleSchema = named(
  'MetFloorRule',
  closedObject({
    Id: integer('Its ID'),
    Name: text('Its name'),
    Medium: text('The medium of ads that it is for in this auction, for example `video`'),
    Outcome: oneOf(
      ['floor', 'control'],
      'floor = its floor holds for the bids that it is for; control = the request is in its control group (`SkipPercent`), so the rule is skipped',
    ),
    IsFound: integer('1 = its floor was found by the bids (`Auto`); 0 = it is its `Floor`'),
    ...bidfloor,
  }),
);

export type ShownFloorRule = ReadonlyStatic<typeof floorRuleSchema>;

const metFloorRules = Type.Array(floorRuleSchema, {
  description:
    'Floor rules that the request meets, the deciding one first; a bid falls under the first that is for it',
});

const shownDealName = {
  Id: integer('Its ID'),
  Code: text('Its code'),
};

export const offeredDealSchema = named('OfferedDeal', closedObject({ ...shownDealName, ...bidfloor }));

export type ShownOffer = ReadonlyStatic<typeof offeredDealSchema>;

export const dealSchema = named(
  'ExplainedDeal',
  closedObject({
    ...shownDealName,
    Name: text('Its name'),
    Outcome: oneOf(['offered', 'refused'], 'offered = to demand that is called; refused = by a rule'),
    Rule: text('Name of the reason why it is not offered, for example `out_of_flight`; else ""'),
    ...refusal,
    Refusals: refusals('Everything that refuses it, the deciding refusal first'),
  }),
);

export type ExplainedDeal = ReadonlyStatic<typeof dealSchema>;

export const candidateSchema = named(
  'ExplainedCandidate',
  closedObject({
    Entity: text('Kind of the demand object'),
    Id: integer('Its ID'),
    Name: text('Its name'),
    Outcome: oneOf(
      ['won', 'fallback', 'asked', 'refused'],
      'won; fallback = shown if the winner fails; asked = it would be called for a bid; refused = by a rule',
    ),
    Rule: text('Name of the reason that refused it, for example `country_not_targeted`; else ""'),
    ...refusal,
    Refusals: refusals(
      'Everything that refuses it, the deciding refusal first; for an auction that was held, that refusal and those of other bids in its answer',
    ),
    Price: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'CPM in USD: what a winner pays, in a pod for all its ads; otherwise the bid; null if there was no bid',
    }),
    Pod: Type.Array(podAdSchema, { description: 'Its ads of a pod; empty if it won none' }),
    Media: Type.Array(Type.String(), {
      description: 'Media of the impression that it is asked for; empty if its targeting refuses all',
    }),
    Bids: Type.Array(explainedBidSchema, {
      description: 'The bids of its answer, that which took part first; 17 at most',
    }),
    ForeignPrice: foreignPrice(
      '`Price` in the currency of the bid; null if that is USD, or if there was no bid',
    ),
    Deal: Type.Union([dealPriceSchema, Type.Null()], {
      description:
        'The deal of the bid, and what a winner under it pays to whom; null for an open bid, and in a pod, whose ads have their own',
    }),
    Deals: Type.Array(offeredDealSchema, {
      description: 'The deals that it is offered, the most important first; at most 16',
    }),
    Withheld: Type.Array(withholdingSchema, {
      description: 'What the viewer does not permit the partner to do, or to be told, and by which signals',
    }),
    IsMatched: integer(
      '1 = the partner knows the viewer, and is told its own ID (`buyeruid`), which is not shown; 0 = it is told none',
    ),
    DroppedElements: Type.Array(Type.String(), {
      description:
        'Names of the elements that were dropped from its VAST, for example `h:script`, because browsers would run or render them; 20 at most',
    }),
  }),
);

export type ExplainedCandidate = ReadonlyStatic<typeof candidateSchema>;

export const pairWarningSchema = named(
  'PairWarning',
  closedObject({
    Entity: text('Kind of the connected object'),
    Id: integer('Its ID'),
    Name: text('Its name'),
    Rule: text(
      'Name of the reason why the pair can never match, for example `country_not_targeted`; after `below_floor` it may, if a floor rule lowers `Bidfloor`',
    ),
    Field: text('The demand object\'s field whose rule refuses; "" if none does'),
    Wanted: anything('What the demand object requires'),
    Met: anything('What the supply object offers'),
  }),
);

const outcome = text(
  'won; open = demand would have to be called; otherwise the reason why there is no ad, for example `below_floor`',
);
const candidates = Type.Array(candidateSchema, {
  description: 'Connected demand objects, each with its outcome',
});

export type PodAd = ReadonlyStatic<typeof podAdSchema>;

export const explanationSchema = named(
  'Explanation',
  closedObject({
    Status: okStatus,
    Outcome: outcome,
    ...bidfloor,
    ...refusal,
    Refusals: refusals('Everything that refuses the request as a whole, the deciding refusal first'),
    Candidates: candidates,
    FloorRules: metFloorRules,
    Deals: Type.Array(dealSchema, {
      description: 'Deals for the supply object, the active ones first; at most 100',
    }),
  }),
);

export const auctionSchema = named(
  'Auction',
  closedObject({
    AuctionId: text('ID of the auction, as demand and trackers know it'),
    TimeMs: integer('When it was held, in milliseconds since 1970'),
    Entity: text('Kind of the supply object'),
    Id: integer('Its ID'),
    Name: text('Its name'),
    Outcome: outcome,
    ...bidfloor,
    ...refusal,
    Country: text('Country of the request; "" = not known'),
    Domain: text('Domain of the site; "" = not known'),
    AppBundle: text('Bundle of the app; "" = not known'),
    Candidates: candidates,
    FloorRules: metFloorRules,
  }),
);

export type Explanation = ReadonlyStatic<typeof explanationSchema>;

export type HeldAuction = ReadonlyStatic<typeof auctionSchema>;

interface NamedObject {
  readonly kind: string;
  readonly id: number;
}

/** Filters: by supply object, demand object and reason. */
export interface AskedAuctions {
  readonly supply?: NamedObject | undefined;
  /** That took part, or was refused. */
  readonly demand?: NamedObject | undefined;
  /** Why the request, or `demand`, was refused. */
  readonly reason?: string | undefined;
}

export const refusalExample = {
  Rule: 'country_not_targeted',
  Help: 'The country is not among the `Countries`; add it. If it is unknown, the address is private or not in the country database of the server.',
  Field: 'Countries',
  Wanted: ['DE', 'NO', 'SE'],
  Met: 'US',
} as const;

const rateExample = {
  Rule: 'max_qps',
  Help: 'This second already has as many requests as `MaxQps` allows; raise it, or wait.',
  Field: 'MaxQps',
  Wanted: 50,
  Met: null,
} as const;

const { Help: _, ...firstRefusal } = refusalExample;

export const bidfloorExample = {
  Bidfloor: 1.0857,
  ForeignBidfloor: { Currency: 'EUR', Cpm: 1, Rate: 1.0857 },
} as const;

export const floorRuleExample = {
  Id: 4,
  Name: 'Germany, phones',
  Medium: 'video',
  Outcome: 'floor',
  IsFound: 0,
  ...bidfloorExample,
} as const;

export const candidateExample = {
  Entity: 'DspVastTag',
  Id: 7,
  Name: 'Fjord video, Europe',
  Outcome: 'refused',
  ...firstRefusal,
  Refusals: [refusalExample, rateExample],
  Price: null,
  Pod: [],
  Media: [],
  Bids: [],
  ForeignPrice: null,
  Deal: null,
  Deals: [],
  Withheld: [],
  IsMatched: 0,
  DroppedElements: [],
} as const;

const flightRefusal = {
  Rule: 'out_of_flight',
  Field: 'StartTime',
  Wanted: '2027-01-01T00:00:00.000Z',
  Met: '2026-12-31T18:00:00.000Z',
} as const;

export const dealExample = {
  Id: 4,
  Code: 'news-q1',
  Name: 'News, first quarter',
  Outcome: 'refused',
  ...flightRefusal,
  Refusals: [{ Help: reasonHelp.out_of_flight, ...flightRefusal }],
} as const;
