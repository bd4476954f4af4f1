import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { invalid, Refusal } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { Store } from '../../store/interface.ts';
import type { Context } from '../context.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import type { ExchangeView } from './exchange-view.ts';
import { exchangeTag } from './tag.ts';

const waitMsMax = 10_000;
const pauseMs = 50;

/** Up to a revision of the installation; 0 if the team has none. */
async function lastRevision({ changes }: Pick<Store, 'changes'>, teamId: number, upToRevision?: number) {
  const upTo = upToRevision === undefined ? {} : { upToRevision };
  const [last] = await changes(teamId, { ...upTo, newestFirst: true }, 1);
  return last?.revision ?? 0;
}

/** By every thread; refuses after ten seconds. Returns what each serves. */
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

const isMissing = (found: unknown) => found === undefined || found === 'unknown' || found === 'inactive';

/** Asks again once all threads serve the team's last change: what is missing may have been added just now. */
export async function askServed<Found>(
  teamId: number,
  { exchange, store }: Pick<Context, 'exchange' | 'store'>,
  ask: () => Found | Promise<Found>,
): Promise<Found> {
  const found = await ask();
  if (!isMissing(found)) return found;
  await untilServed(exchange, await lastRevision(store, teamId));
  return ask();
}

/** Once all threads serve the one wanted (0 = any). Refuses one after the last. */
async function servedRevisions(
  teamId: number,
  wanted: number,
  { exchange, store }: Pick<Context, 'exchange' | 'store'>,
): Promise<number[]> {
  const last = await lastRevision(store, teamId);
  if (wanted > last) {
    const Message = `is not a revision of your team yet; the last one is ${last}`;
    throw invalid([{ Path: 'Revision', Code: 'not_found', Message }]);
  }
  const served = await untilServed(exchange, wanted);
  return Promise.all(served.map((upTo) => (upTo >= last ? last : lastRevision(store, teamId, upTo))));
}

export const exchangeStatus = defineEndpoint({
  method: 'GET',
  path: '/api/exchange/status',
  name: 'getExchangeStatus',
  tag: exchangeTag,
  summary: 'Fetch which revision is served',
  description:
    "The latest revision of the team that every thread of this process serves. With `Revision` it returns once all threads serve that one, or 503 after ten seconds. A revision after the team's last is 406.",
  access: reader,
  parameters: {
    Revision: number({ help: 'Return once every thread serves this revision of the team', max: intMax }),
  },
  returns: {
    description: 'The revision that all threads serve, and the revision of each',
    schema: closedObject({
      Status: okStatus,
      Revision: Type.Integer({ description: 'The revision that every thread serves' }),
      Threads: Type.Array(Type.Integer(), { description: 'The revision of each thread' }),
    }),
    example: () => ({ Status: 'Ok', Revision: 17, Threads: [17, 17] }),
  },
  serve:
    (context) =>
    async ({ caller, parameters: { Revision = 0 } }) => {
      const Threads = await servedRevisions(caller.teamId, Revision, context);
      return { ...succeeded, Revision: Math.min(...Threads), Threads };
    },
});
