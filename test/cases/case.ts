import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import { parse } from 'yaml';

const closed = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const values = Type.Record(Type.String(), Type.Unknown());
const texts = Type.Array(Type.String());

/** An InLine ad as a partner's VAST document has it; whatever is left out has a default. */
const ad = closed({
  version: Type.Optional(Type.String()),
  price: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  currency: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  media: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  duration: Type.Optional(Type.String()),
  inline: Type.Optional(Type.String()),
});

/**
 * How a demand partner answers: an ad, a bid of OpenRTB, or any status and body. `query` ends the URL under which it is
 * called; `{partner}` in texts becomes a URL of the case's own, below which are its pages and `/notices`.
 */
const answers = closed({
  query: Type.Optional(Type.String()),
  vast: Type.Optional(ad),
  bid: Type.Optional(values),
  response: Type.Optional(values),
  status: Type.Optional(Type.Number()),
  body: Type.Optional(Type.String()),
});

const objects = ['Campaign', 'DspVastTag', 'DspRtbEp'] as const;
const supplies = ['VastTag', 'RtbEp'] as const;
const lists = ['DomainList', 'AppList', 'IpList'] as const;
const oneOf = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(values)])) as Record<
    K,
    ReturnType<typeof Type.Optional<typeof values>>
  >;

const request = closed({
  macros: Type.Optional(Type.Record(Type.String(), Type.String())),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  imp: Type.Optional(Type.Array(values)),
  members: Type.Optional(values),
});

const partnerRequest = closed({
  method: Type.Optional(Type.String()),
  query: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(values),
});

const answer = closed({
  contains: Type.Optional(texts),
  lacks: Type.Optional(texts),
  times: Type.Optional(Type.Record(Type.String(), Type.Number())),
  version: Type.Optional(Type.String()),
  plays: Type.Optional(
    Type.Array(
      closed({
        media: Type.Optional(Type.String()),
        impressions: Type.Optional(Type.Number()),
        ours: Type.Optional(values),
      }),
    ),
  ),
});

const schema = closed({
  shows: Type.String({ minLength: 1 }),
  lists: Type.Optional(Type.Record(Type.String(), closed(oneOf(lists)))),
  supply: closed(oneOf(supplies)),
  demand: Type.Record(Type.String(), closed({ ...oneOf(objects), answers: Type.Optional(answers) })),
  pages: Type.Optional(Type.Record(Type.String(), answers)),
  request: Type.Optional(request),
  won: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.String()),
  refused: Type.Optional(Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String()]))),
  called: Type.Optional(texts),
  requests: Type.Optional(Type.Record(Type.String(), partnerRequest)),
  answer: Type.Optional(answer),
  notices: Type.Optional(closed({ answer: Type.Optional(texts), impression: Type.Optional(texts) })),
  counts: Type.Record(Type.String(), values),
});

/** A case as its file has it. */
export type Case = Static<typeof schema>;
/** How a demand partner answers. */
export type Answers = Static<typeof answers>;
/** What a partner's request has to hold. */
export type PartnerRequest = Static<typeof partnerRequest>;

const isCase = new Ajv({ strict: false, allErrors: true }).compile<Case>(schema);

/** Names in a case that say what no demand object of it is called. */
function unknownNames({ demand, pages, won, refused, called, requests, counts }: Case): string[] {
  const named = [
    ...(won === undefined ? [] : [won]),
    ...Object.keys(refused ?? {}),
    ...(called ?? []),
    ...Object.keys(requests ?? {}).filter((name) => !Object.hasOwn(pages ?? {}, name)),
    ...Object.keys(counts).filter((name) => name !== 'supply'),
  ];
  return named.filter((name) => !Object.hasOwn(demand, name));
}

/** Reads a case from YAML. Throws an error that names the path in it and what is wrong there. */
export function readCase(text: string): Case {
  const read: unknown = parse(text);
  if (!isCase(read)) {
    const faults = (isCase.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath || '/', message, params.additionalProperty].filter(Boolean).join(' '),
    );
    throw new Error(faults.join('; '));
  }
  const [unknown] = unknownNames(read);
  if (unknown !== undefined) throw new Error(`no demand of the case is called "${unknown}"`);
  if (Object.keys(read.supply).length !== 1) throw new Error('/supply must have exactly one object');
  if (read.won === undefined && read.outcome === undefined)
    throw new Error('say who has won, or the outcome');
  return read;
}

/** The case of a file. */
export const caseIn = (path: string): Case => readCase(readFileSync(path, 'utf8'));
