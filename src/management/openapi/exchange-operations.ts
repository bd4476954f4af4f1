import { entityOf } from '../../entities/registry.ts';
import { auctionsParameters, statusParameters } from '../exchange/exchange.ts';
import type { ExplainedKind } from '../exchange/explain-question.ts';
import { closedObject, type Json, jsonContent, ref } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { askingParameters, queryParameter } from './parameters.ts';

const text = (description: string): Json => ({ type: 'string', description });
const integer = (description: string): Json => ({ type: 'integer', description });
const anything = (description: string): Json => ({ description });

const refusal = {
  Field: text('Field of the object whose rule refused; "" where none did'),
  Wanted: anything('What the rule wanted'),
  Met: anything('What it met'),
};

const shownRefusal = closedObject({
  Rule: text('Name of the reason, as `country_not_targeted`'),
  ...refusal,
});
const refusals = (description: string): Json => ({
  type: 'array',
  items: ref('schemas', 'Refusal'),
  description,
});

const candidate = closedObject({
  Entity: text('Kind of the demand object'),
  Id: integer('Its ID'),
  Name: text('Its name'),
  Outcome: {
    type: 'string',
    enum: ['won', 'fallback', 'asked', 'refused'],
    description:
      'won; fallback = shown where the winner fails; asked = it would be asked for a bid; refused = by the rule',
  },
  Rule: text('Name of the reason that refused it, as `country_not_targeted`; else ""'),
  ...refusal,
  Refusals: refusals('All that refuses it, the first one first; of an auction that was held, only that one'),
  Price: {
    type: ['number', 'null'],
    description: 'CPM in USD: of a winner what it pays, else its bid; null where there was none',
  },
});

const pairWarning = closedObject({
  Entity: text('Kind of the connected object'),
  Id: integer('Its ID'),
  Name: text('Its name'),
  Rule: text('Name of the reason why the pair can never match, as `country_not_targeted`'),
  Field: text('The demand object\'s field whose rule refuses; "" where none does'),
  Wanted: anything('What the demand object wants'),
  Met: anything('What the supply object offers'),
});

const outcome = text(
  'won; open = demand would have to be asked; else the reason why nothing is answered, as `below_floor`',
);
const candidates = {
  type: 'array',
  items: ref('schemas', 'ExplainedCandidate'),
  description: 'Demand objects that are connected, each with its outcome',
};

const explanation = closedObject({
  Status: { type: 'string', const: 'Ok', description: 'The call has succeeded' },
  Outcome: outcome,
  ...refusal,
  Refusals: refusals('All that refuses the request as a whole, the first one first'),
  Candidates: candidates,
});

const auction = closedObject({
  AuctionId: text('ID of the auction, as demand and trackers know it'),
  TimeMs: integer('When it was held, in milliseconds since 1970'),
  Entity: text('Kind of the supply object'),
  Id: integer('Its ID'),
  Name: text('Its name'),
  Outcome: outcome,
  ...refusal,
  Country: text('Country of the request; "" = not known'),
  Domain: text('Domain of the site; "" = not known'),
  AppBundle: text('Bundle of the app; "" = not known'),
  Candidates: candidates,
});

/** The document's schemas of what the exchange tells. */
export const exchangeSchemas: Json = {
  Refusal: shownRefusal,
  ExplainedCandidate: candidate,
  PairWarning: pairWarning,
  Explanation: explanation,
  Auction: auction,
};

const refusalExample = {
  Rule: 'country_not_targeted',
  Field: 'Countries',
  Wanted: ['DE', 'NO', 'SE'],
  Met: 'US',
};
const candidateExample = {
  Entity: 'DspVastTag',
  Id: 7,
  Name: 'Fjord video, Europe',
  Outcome: 'refused',
  ...refusalExample,
  Refusals: [refusalExample, { Rule: 'max_qps', Field: 'MaxQps', Wanted: 50, Met: null }],
  Price: null,
};
const explanationExample = {
  Status: 'Ok',
  Outcome: 'no_bid',
  Field: '',
  Wanted: null,
  Met: null,
  Refusals: [],
  Candidates: [candidateExample],
};
const auctionExample = {
  AuctionId: '0b8f7e0e-5f6b-4b9d-9f0f-2f6d0a4c1a11',
  TimeMs: 1_801_483_200_000,
  Entity: 'VastTag',
  Id: 3,
  Name: 'Homepage pre-roll',
  Outcome: 'no_demand',
  Field: '',
  Wanted: null,
  Met: null,
  Country: 'US',
  Domain: 'news.example',
  AppBundle: '',
  Candidates: [{ ...candidateExample, Refusals: [refusalExample] }],
};

const idOf = (what: string) =>
  closedObject({ Id: { type: 'integer', minimum: 1, description: `ID of the ${what}` } });

const lastSeen = 'What is asked; without it, the last request to the object that was seen, as if it came now';

/** A request to one kind of supply, in its own form. */
const questionTo = (key: ExplainedKind, request: Json) =>
  closedObject(
    { [key]: idOf(entityOf(key).title) },
    { Request: { ...closedObject(request), description: lastSeen } },
  );

/** A request to each kind of supply. */
const question = {
  oneOf: [
    questionTo('VastTag', {
      Url: text('A zone URL of the tag, its macros filled as a player would'),
    }),
    questionTo('RtbEp', {
      OpenRtb: {
        type: 'object',
        description: 'A bid request of OpenRTB 2.5 or 2.6; of several impressions the first is explained',
      },
    }),
    questionTo('PopFeed', {
      Url: text('A feed URL or direct link of the feed, its macros filled'),
    }),
    questionTo('BannerEp', {
      Url: text('A zone URL of the Banner EP, its macros filled as a page would'),
    }),
  ],
};
const questionExample = {
  VastTag: { Id: 3 },
  Request: {
    Url: 'https://us-east.example.com/vast?zone=3&auth=…&ip=203.0.113.7&site_url=https://news.example/',
  },
};

const shared = { tag: 'Exchange', documented: false } as const;

/** What the exchange serves, and why. */
export const exchangeDocumentation: readonly DocumentedOperation[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/exchange/status',
    operationId: 'getExchangeStatus',
    summary: 'Ask which revision is served',
    description:
      "The last of the team's revisions that every thread of this process serves. With `Revision` it answers once all serve that one, or 503 after ten seconds. A revision after the team's last is 406.",
    parameters: statusParameters.map(queryParameter),
    answer: {
      description: 'The revision that all serve, and that of each thread',
      content: jsonContent(
        closedObject({
          Status: { type: 'string', const: 'Ok', description: 'The call has succeeded' },
          Revision: integer('The revision that every thread serves'),
          Threads: { type: 'array', items: { type: 'integer' }, description: 'That of each thread' },
        }),
        { example: { Status: 'Ok', Revision: 17, Threads: [17, 17] } },
      ),
    },
    failures: ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/api/exchange/auctions',
    operationId: 'getAuctions',
    summary: 'Fetch the last auctions',
    description:
      "The last auctions of the team's supply, sampled, the newest first, each with what became of its demand.",
    parameters: auctionsParameters.map(queryParameter),
    answer: {
      description: 'The auctions',
      content: jsonContent(
        { type: 'array', items: ref('schemas', 'Auction') },
        { example: [auctionExample] },
      ),
    },
    failures: ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/exchange/explain',
    operationId: 'explainRequest',
    summary: 'Explain a request',
    description:
      'What would become of a request to a zone URL, or of a bid request, now: every connected demand object, also the inactive ones, with its outcome or all that refuses it. Nothing is counted and no demand is called, so every role may ask.',
    parameters: askingParameters,
    requestBody: { required: true, content: jsonContent(question, { example: questionExample }) },
    answer: {
      description: 'What would become of it',
      content: jsonContent(ref('schemas', 'Explanation'), { example: explanationExample }),
    },
    failures: ['NotJson', 'Unauthorized', 'Invalid', 'TooLarge', 'ServerError', 'Unavailable'],
  },
];
