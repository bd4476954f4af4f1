import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import { parse } from 'yaml';

const closed = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const maybe = Type.Optional;
const text = maybe(Type.String());
const number = maybe(Type.Number());
const values = Type.Record(Type.String(), Type.Unknown());
const texts = Type.Array(Type.String());
const named = <T extends TSchema>(value: T) => maybe(Type.Record(Type.String(), value));
const oneOf = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, maybe(values)])) as Record<
    K,
    ReturnType<typeof maybe<typeof values>>
  >;

/** An InLine ad as a partner's VAST document has it; whatever is left out has a default. */
const ad = closed({
  version: text,
  currency: text,
  model: text,
  media: text,
  type: text,
  duration: text,
  inline: text,
  price: maybe(Type.Union([Type.Number(), Type.String()])),
});

/** How a demand partner, or a page, answers. */
const answers = closed({
  query: text,
  vast: maybe(ad),
  wrapper: text,
  bid: maybe(values),
  bids: maybe(Type.Array(values)),
  response: maybe(values),
  status: number,
  body: text,
  afterMs: number,
  never: maybe(Type.Boolean()),
});

/** A request to the exchange. */
const request = closed({
  path: text,
  method: text,
  body: text,
  macros: named(Type.String()),
  query: named(Type.Union([Type.String(), Type.Null()])),
  headers: named(Type.String()),
  form: maybe(Type.Union([Type.Literal('Json'), Type.Literal('Xml'), Type.Literal('Direct')])),
  imp: maybe(Type.Array(values)),
  members: maybe(values),
});

/** A request to a partner, or to a page. */
const partnerRequest = closed({
  method: text,
  query: text,
  times: number,
  headers: named(Type.Unknown()),
  body: maybe(values),
});

const answer = closed({
  status: number,
  headers: named(Type.Unknown()),
  text,
  contains: maybe(texts),
  lacks: maybe(texts),
  times: named(Type.Number()),
  version: text,
  body: maybe(values),
  bids: maybe(Type.Array(values)),
  plays: maybe(Type.Array(closed({ media: text, impressions: number, ours: maybe(values) }))),
});

/** A call of a tracker or notice of the answer. */
const event = closed({
  event: Type.String(),
  times: number,
  method: text,
  status: number,
  macros: named(Type.String()),
  requestHeaders: named(Type.String()),
  headers: named(Type.Unknown()),
});

const rule = Type.Tuple([Type.String(), Type.String()]);

/** What `README.md` explains. */
export const caseSchema = closed({
  shows: Type.String({ minLength: 1 }),
  lists: named(closed(oneOf(['DomainList', 'AppList', 'IpList', 'KeywordList']))),
  supply: closed(oneOf(['VastTag', 'RtbEp', 'BannerEp', 'PopFeed'])),
  demand: Type.Record(
    Type.String(),
    closed({
      ...oneOf(['Campaign', 'DspVastTag', 'DspRtbEp', 'DspPopFeed']),
      answers: maybe(answers),
    }),
  ),
  deals: named(values),
  floorRules: named(values),
  inactive: maybe(texts),
  pages: named(answers),
  earlier: maybe(
    Type.Array(closed({ request: maybe(request), ad: Type.Boolean(), shown: maybe(Type.Boolean()) })),
  ),
  request: maybe(request),
  won: text,
  outcome: maybe(Type.Union([Type.String(), rule])),
  refused: named(rule),
  refusedBids: named(Type.Array(rule)),
  faults: named(Type.Union([values, Type.Null()])),
  called: maybe(texts),
  requests: named(partnerRequest),
  answer: maybe(answer),
  fires: maybe(Type.Array(event)),
  notices: maybe(closed({ answer: maybe(texts), afterwards: maybe(texts) })),
  counts: Type.Record(Type.String(), values),
});

/** A case as its file has it. */
export type Case = Static<typeof caseSchema>;
/** How a demand partner answers. */
export type Answers = Static<typeof answers>;
/** What is asked. */
export type CaseRequest = Static<typeof request>;
/** What a partner's request has to hold. */
export type PartnerRequest = Static<typeof partnerRequest>;
/** A call of a tracker or notice. */
export type FiredEvent = Static<typeof event>;
/** What the answer has to hold. */
export type ExpectedAnswer = Static<typeof answer>;

const isCase = new Ajv({ strict: false, allErrors: true }).compile<Case>(caseSchema);

/** Names in a case that say what no demand object of it is called. */
function unknownNames(read: Case): string[] {
  const { demand, pages, won, refused, refusedBids, faults, called, inactive, requests, counts } = read;
  const names = [
    ...(won === undefined ? [] : [won]),
    ...[refused, refusedBids, faults].flatMap((of) => Object.keys(of ?? {})),
    ...(called ?? []),
    ...(inactive ?? []).filter((name) => name !== 'supply'),
    ...Object.keys(requests ?? {}).filter((name) => !Object.hasOwn(pages ?? {}, name)),
    ...Object.keys(counts).filter((name) => name !== 'supply'),
  ];
  return names.filter((name) => !Object.hasOwn(demand, name));
}

/** Why a case that has the right form could not be played. */
function contradiction(read: Case): string | undefined {
  const [unknown] = unknownNames(read);
  if (unknown !== undefined) return `no demand of the case is called "${unknown}"`;
  if (Object.keys(read.supply).length !== 1) return '/supply must have exactly one object';
  if (read.won === undefined && read.outcome === undefined) return 'say who has won, or the outcome';
  const silent = (read.called ?? []).find((name) => read.demand[name]?.answers === undefined);
  return silent === undefined ? undefined : `"${silent}" is called, and has no answers`;
}

/** Reads a case from YAML. Throws an error that names the path in it and what is wrong there. */
export function readCase(source: string): Case {
  const read: unknown = parse(source);
  if (!isCase(read)) {
    const faults = (isCase.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || '/', message, params.additionalProperty].filter(Boolean).join(' '),
    );
    throw new Error(faults.join('; '));
  }
  const fault = contradiction(read);
  if (fault !== undefined) throw new Error(fault);
  return read;
}

/** The case of a file. */
export const caseIn = (path: string): Case => readCase(readFileSync(path, 'utf8'));
