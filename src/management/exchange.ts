import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import { intMax } from '../fields/number.ts';
import { callOf, send } from './call.ts';
import type { Context } from './context.ts';
import type { PairJudge } from './pair-warnings.ts';
import { perform } from './perform.ts';
import { type QueryParameter, readNumbers } from './query.ts';
import { isObject } from './wrapper.ts';

/** What the management API may ask of the exchange, in all threads. What comes back is ready to be sent. */
export interface ExchangeView {
  /**
   * What would become of a request to a zone URL; undefined where the team has no such object, `unseen` where none is
   * given and no thread has seen one.
   */
  explain(request: ZoneRequest): Promise<object | 'unseen' | undefined>;
  /** Why a connected pair can never match, by the rules of the auction. */
  readonly judgePair: PairJudge;
  /** The revision that each thread serves, once it serves that one or has waited for a while. */
  servedRevisions(revision: number): Promise<readonly number[]>;
  /** The last auctions of a team, or of one of its objects, the newest first. */
  auctions(
    teamId: number,
    supply: { readonly kind: string; readonly id: number } | undefined,
  ): Promise<readonly object[]>;
}

/** What the operations work with. */
type ExchangeContext = Pick<Context, 'store'> & { readonly exchange: ExchangeView };

/** A zone URL of a team's object, filled as a player would; without one, the request that was seen last. */
export interface ZoneRequest {
  readonly teamId: number;
  readonly kind: 'VastTag';
  readonly id: number;
  readonly url: string | undefined;
}

/** Parameters of `GET /api/exchange/status`. */
export const statusParameters: readonly QueryParameter[] = [
  { name: 'Revision', help: 'Answer once every thread serves this revision', max: intMax },
];

/** Parameters of `GET /api/exchange/auctions`. */
export const auctionsParameters: readonly QueryParameter[] = [
  { name: 'VastTag', help: 'Only auctions of that VAST Tag', max: intMax },
  { name: 'Limit', help: 'Most auctions to answer; 0 = 100', max: 1000 },
];

const waitMsMax = 10_000;
const pauseMs = 50;
const auctionsByDefault = 100;
const urlCharactersMax = 65_536;

function readId(body: Readonly<Record<string, unknown>>): { id: number; faults: Fault[] } {
  const supply = body.VastTag;
  if (!isObject(supply)) {
    return {
      id: 0,
      faults: [
        { Path: 'VastTag', Code: 'required', Message: 'is required: an object with the Id of a VAST Tag' },
      ],
    };
  }
  const { Id } = supply;
  const isId = Number.isInteger(Id) && Number(Id) > 0 && Number(Id) <= intMax;
  return isId
    ? { id: Number(Id), faults: [] }
    : { id: 0, faults: [{ Path: 'VastTag.Id', Code: 'type', Message: 'must be the ID of a VAST Tag' }] };
}

function readUrl(body: Readonly<Record<string, unknown>>): { url: string | undefined; faults: Fault[] } {
  const request = body.Request;
  if (request === undefined) return { url: undefined, faults: [] };
  const url = isObject(request) ? request.Url : undefined;
  const isUrl = typeof url === 'string' && url.length <= urlCharactersMax && url.includes('?');
  return isUrl
    ? { url, faults: [] }
    : {
        url: '',
        faults: [
          {
            Path: 'Request.Url',
            Code: 'format',
            Message: 'must be a zone URL of the object, its macros filled',
          },
        ],
      };
}

/** What is to be explained. Refuses anything but the two members. */
function readQuestion(body: unknown): { id: number; url: string | undefined } {
  const expected = 'the body must be an object with `VastTag`, and `Request` or none';
  if (!isObject(body)) throw invalid([{ Path: '', Code: 'wrapper', Message: expected }]);
  const unknown = Object.keys(body).filter((name) => name !== 'VastTag' && name !== 'Request');
  const { id, faults } = readId(body);
  const { url, faults: urlFaults } = readUrl(body);
  const all = [
    ...unknown.map((Path) => ({ Path, Code: 'unknown_field', Message: `is no known member; ${expected}` })),
    ...faults,
    ...urlFaults,
  ];
  if (all.length > 0) throw invalid(all);
  return { id, url };
}

const unseen: Fault = {
  Path: 'Request',
  Code: 'not_found',
  Message: 'is required: no request to the object has been seen since this process began',
};

/** Waits until every thread serves the revision; refuses after ten seconds. */
async function untilServed(exchange: ExchangeView, revision: number): Promise<readonly number[]> {
  const lateMs = performance.now() + waitMsMax;
  for (;;) {
    const served = await exchange.servedRevisions(revision);
    if (served.every((one) => one >= revision)) return served;
    if (performance.now() > lateMs) {
      const least = Math.min(...served);
      throw new Refusal(
        'unavailable',
        `Revision ${revision} is not served yet; every thread serves ${least}`,
        {
          retryAfterSeconds: 1,
        },
      );
    }
    await delay(pauseMs);
  }
}

/** `/api/exchange/…`: what the exchange serves, and why. */
export function registerExchange(app: FastifyInstance, context: ExchangeContext): void {
  const { exchange } = context;
  app.get('/api/exchange/status', async (request, reply) => {
    const { Revision = 0 } = readNumbers(statusParameters, callOf(request).query);
    const Threads = await untilServed(exchange, Revision);
    return send(reply, { body: JSON.stringify({ Status: 'Ok', Revision: Math.min(...Threads), Threads }) });
  });
  app.get('/api/exchange/auctions', async (request, reply) => {
    const { query, bearer } = callOf(request);
    const { VastTag = 0, Limit = 0 } = readNumbers(auctionsParameters, query);
    const supply = VastTag === 0 ? undefined : { kind: 'VastTag', id: VastTag };
    const auctions = await exchange.auctions(bearer.teamId, supply);
    return send(reply, { body: JSON.stringify(auctions.slice(0, Limit || auctionsByDefault)) });
  });
  app.post('/api/exchange/explain', { config: { writes: true } }, async (request, reply) => {
    const call = callOf(request);
    if (call.faults.length > 0) throw invalid(call.faults);
    const { id, url } = readQuestion(call.body);
    const question = { teamId: call.bearer.teamId, kind: 'VastTag', id, url } as const;
    const answer = await perform(context, call, async () => {
      const explanation = await context.exchange.explain(question);
      if (explanation === 'unseen') throw invalid([unseen]);
      if (explanation) return { body: JSON.stringify(explanation) };
      throw invalid([
        { Path: 'VastTag.Id', Code: 'not_found', Message: `is no VAST Tag: ${id} is not found` },
      ]);
    });
    return send(reply, answer);
  });
}
