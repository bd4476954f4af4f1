import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../src/config.ts';
import { entities } from '../../src/entities/registry.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** JSON that a test looks into. */
export type Values = Readonly<Record<string, unknown>>;
/** An object as the management API answers it. */
export type Stored = Values & { readonly Id: number };
/** Values for macros of a URL, by name. */
export type Macros = Readonly<Record<string, string>>;

/** A server with a publisher and an advertiser, which tests configure by its API and ask as the world does. */
export interface ExchangeRoom {
  readonly server: TestServer;
  readonly publisher: Stored;
  readonly advertiser: Stored;
  /** Calls the API, which must succeed. */
  call(path: string, body?: object): Promise<Values>;
  /** Adds an object by the path of its kind, for the publisher or the advertiser unless told otherwise. */
  add(path: string, values?: Values): Promise<Stored>;
  /** Waits until the exchange serves what was written last. */
  served(): Promise<void>;
  /** Today's counts of an object, once they are as awaited: they reach the database within about a second. */
  statistics(object: Values, isThere?: (row: Values) => boolean): Promise<Values>;
  close(): Promise<void>;
}

/** Fills some macros of a URL; the others stay as they were handed out. */
export function filled(url: string, macros: Macros): string {
  return Object.entries(macros).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    url,
  );
}

/** The first zone URL that a supply object was handed out, with some macros filled. */
export function zoneUrl({ ZoneUrls }: Values, macros: Macros = {}): string {
  const [{ ZoneUrl = '' } = {}] = ZoneUrls as readonly { readonly ZoneUrl?: string }[];
  return filled(ZoneUrl, macros);
}

/** A report as it was handed out, for today. */
export function todays(reportUrl: unknown): string {
  return String(reportUrl).replace(/\{date_(from|to)\}/g, '');
}

const changesMax = 1000;

/** The revision of the last change. */
async function lastRevision(call: ExchangeRoom['call']): Promise<number> {
  for (let revision = 0; ; ) {
    const page = await call(`history/get?Limit=${changesMax}&AfterRevision=${revision}`);
    const changes = page as unknown as readonly { readonly Revision: number }[];
    revision = changes.at(-1)?.Revision ?? revision;
    if (changes.length < changesMax) return revision;
  }
}

const pollMs = 10;
const waitMsMax = 5000;

/** Today's rows of a report, once they are what is waited for. */
export async function reported(
  reportUrl: unknown,
  isThere: (rows: readonly Values[]) => boolean,
): Promise<readonly Values[]> {
  const lateMs = performance.now() + waitMsMax;
  for (;;) {
    const rows = (await (await fetch(todays(reportUrl))).json()) as Values[];
    if (isThere(rows)) return rows;
    assert.ok(performance.now() < lateMs, `counts are not there yet: ${JSON.stringify(rows[0])}`);
    await delay(pollMs);
  }
}

async function statisticsOf(object: Values, isThere: (row: Values) => boolean = () => true): Promise<Values> {
  const [row = {}] = await reported(object.StatsByDateJson, ([first = {}]) => isThere(first));
  return row;
}

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };

/** Starts a server whose demand may be private, as that of tests is. */
export async function openExchange(changes: Partial<Config> = {}, logger?: Logger): Promise<ExchangeRoom> {
  return furnish(await startTestServer({ allowPrivateDemand: true, ...changes }, logger));
}

/** Also one in another process, which nobody can wait for. */
export type RunningServer = Omit<TestServer, 'flush'> & Partial<Pick<TestServer, 'flush'>>;

/** Gives a server a publisher and an advertiser. */
export async function furnish({
  flush = async () => undefined,
  ...rest
}: RunningServer): Promise<ExchangeRoom> {
  const server = { ...rest, flush };
  const call: ExchangeRoom['call'] = async (path, body) => {
    const response = await fetch(`${server.url}/api/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Values;
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const owners = new Map<string, number>();
  const add: ExchangeRoom['add'] = async (path, values = {}) => {
    const { wrapper, owner } = entities.find((one) => one.path === path) ?? assert.fail(path);
    const owned = owner ? { [owner.field]: owners.get(owner.entity) } : {};
    return (await call(`${path}/add`, { [wrapper]: { ...owned, ...values } }))[wrapper] as Stored;
  };
  const publisher = await add('publisher', { ...account, Username: 'pub', SellerId: 'pub-7' });
  const advertiser = await add('advertiser', { ...account, Username: 'adv' });
  owners.set('Publisher', publisher.Id).set('Advertiser', advertiser.Id);
  return {
    server,
    publisher,
    advertiser,
    call,
    add,
    async statistics(object, isThere) {
      await flush();
      return statisticsOf(object, isThere);
    },
    served: async () => void (await call(`exchange/status?Revision=${await lastRevision(call)}`)),
    close: () => server.close(),
  };
}
