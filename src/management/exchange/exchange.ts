import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid, Refusal } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { Store } from '../../store/interface.ts';
import { callOf, send } from '../call.ts';
import { type QueryParameter, readNumbers } from '../input/query.ts';
import { writeParameters } from '../perform.ts';
import { notFound } from '../posted.ts';
import { type ExplainQuestion, explainedKinds, readQuestion } from './explain-question.ts';
import type { PairJudge } from './pair-warnings.ts';

/** What the management API may ask of the exchange, in all threads. What comes back is ready to be sent. */
export interface ExchangeView {
  /**
   * What would become of a request to a supply object; undefined where the team has no such object, `unseen` where no
   * request is given and no thread has seen one.
   */
  explain(question: ExplainQuestion): Promise<object | 'unseen' | undefined>;
  /** Why a connected pair can never match, by the rules of the auction. */
  readonly judgePair: PairJudge;
  /** The revision that each thread serves. A thread answers once it serves `revision`, or after a short wait. */
  servedRevisions(revision: number): Promise<readonly number[]>;
  /** The last auctions of a team, or of one of its objects, the newest first. */
  auctions(
    teamId: number,
    supply: { readonly kind: string; readonly id: number } | undefined,
  ): Promise<readonly object[]>;
}

/** Parameters of `GET /api/exchange/status`. */
export const statusParameters: readonly QueryParameter[] = [
  { name: 'Revision', help: 'Answer once every thread serves this revision of the team', max: intMax },
];

/** One parameter for each kind of supply object, named by its key. */
const supplyParameters: readonly QueryParameter[] = explainedKinds.map((name) => ({
  name,
  help: `Only auctions of that ${entityOf(name).title}`,
  max: intMax,
}));

/** Parameters of `GET /api/exchange/auctions`. */
export const auctionsParameters: readonly QueryParameter[] = [
  ...supplyParameters,
  { name: 'Limit', help: 'Most auctions to answer; 0 = 100', max: 1000 },
];

const waitMsMax = 10_000;
const pauseMs = 50;
const auctionsByDefault = 100;

const unseen: Fault = {
  Path: 'Request',
  Code: 'not_found',
  Message: 'is required: no request to the object has been seen since this process began',
};

/** The last revision of a team, up to one of the installation; 0 where the team has none. */
async function lastOf({ changes }: Pick<Store, 'changes'>, teamId: number, upToRevision?: number) {
  const upTo = upToRevision === undefined ? {} : { upToRevision };
  const [last] = await changes(teamId, { ...upTo, newestFirst: true }, 1);
  return last?.revision ?? 0;
}

/** Waits until every thread serves the revision; refuses after ten seconds. Answers what each serves. */
async function untilServed(exchange: ExchangeView, revision: number): Promise<readonly number[]> {
  const lateMs = performance.now() + waitMsMax;
  for (;;) {
    const served = await exchange.servedRevisions(revision);
    if (served.every((one) => one >= revision)) return served;
    if (performance.now() > lateMs) {
      const text = `Revision ${revision} is not served by every thread yet`;
      throw new Refusal('unavailable', text, { retryAfterSeconds: 1 });
    }
    await delay(pauseMs);
  }
}

/**
 * The team's revision that each thread serves, once all serve the one that is wanted (0 = whichever they serve). What
 * other teams change does not show: a revision after the team's last one is refused.
 */
async function servedTo(teamId: number, wanted: number, { exchange, store }: ExchangeContext) {
  const last = await lastOf(store, teamId);
  if (wanted > last) {
    const Message = `is no revision of your team yet; the last one is ${last}`;
    throw invalid([{ Path: 'Revision', Code: 'not_found', Message }]);
  }
  const served = await untilServed(exchange, wanted);
  return Promise.all(served.map((upTo) => (upTo >= last ? last : lastOf(store, teamId, upTo))));
}

/** What the paths under `/api/exchange/` work with. */
interface ExchangeContext {
  readonly exchange: ExchangeView;
  readonly store: Pick<Store, 'changes'>;
}

/** `/api/exchange/…`: what the exchange serves, and why. */
export function registerExchange(app: FastifyInstance, context: ExchangeContext): void {
  const { exchange } = context;
  app.get('/api/exchange/status', async (request, reply) => {
    const { query, bearer } = callOf(request);
    const { Revision = 0 } = readNumbers(statusParameters, query);
    const Threads = await servedTo(bearer.teamId, Revision, context);
    return send(reply, { body: JSON.stringify({ Status: 'Ok', Revision: Math.min(...Threads), Threads }) });
  });
  app.get('/api/exchange/auctions', async (request, reply) => {
    const { query, bearer } = callOf(request);
    const { Limit = 0, ...ids } = readNumbers(auctionsParameters, query);
    const [supply, ...others] = supplyParameters.flatMap(({ name: kind }) =>
      ids[kind] ? [{ kind, id: ids[kind] }] : [],
    );
    // An auction has one supply object, so two parameters leave none (decisions, W10).
    const auctions = others.length > 0 ? [] : await exchange.auctions(bearer.teamId, supply);
    return send(reply, { body: JSON.stringify(auctions.slice(0, Limit || auctionsByDefault)) });
  });
  app.post('/api/exchange/explain', async (request, reply) => {
    const call = callOf(request);
    if (call.faults.length > 0) throw invalid(call.faults);
    const question = { teamId: call.bearer.teamId, ...readQuestion(call.body) };
    const { kind, id } = question;
    // Explaining changes nothing: an `Idempotency-Key` and `DryRun` are accepted, and have no effect.
    readNumbers(writeParameters, call.query);
    const explanation = await exchange.explain(question);
    if (explanation === 'unseen') throw invalid([unseen]);
    if (explanation) return send(reply, { body: JSON.stringify(explanation) });
    throw invalid([notFound(entityOf(kind), id)]);
  });
}
