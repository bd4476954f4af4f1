import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

export type Values = Readonly<Record<string, unknown>>;
export type Stored = Values & { readonly Id: number };
export type Macros = Readonly<Record<string, string>>;

/** What an explanation or a held auction says of a demand object. */
export interface Candidate {
  readonly Entity: string;
  readonly Id: number;
  readonly Outcome: string;
  readonly Rule: string;
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
  readonly Price: number | null;
}

/** An explanation, or an auction that was held. */
export interface Told {
  readonly Outcome: string;
  readonly Field: string;
  readonly Candidates: readonly Candidate[];
}

/** A server whose VAST Tags tests ask as players do, and configure and question by the management API. */
export interface VastRoom {
  readonly server: TestServer;
  /** Calls the API, which must succeed. */
  call(path: string, body?: object): Promise<Values>;
  /** Adds an object with an owner of its kind, where it needs one. */
  add(path: string, values?: Values): Promise<Stored>;
  /** Waits until the exchange serves what was written last. */
  served(): Promise<void>;
  /** What a tag answers to a player. */
  vast(
    url: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ response: Response; text: string }>;
  explain(tag: Values, url: string): Promise<Told>;
  /** The tag's last auctions, the newest first. */
  auctions(tag: Values): Promise<readonly Told[]>;
  /** URLs of our trackers of one kind in a document. */
  trackers(text: string, event: string): readonly string[];
  /** Today's counts of a supply or demand object, once they are as awaited: they reach the database in a second. */
  statistics(object: Values, isThere: (row: Values) => boolean): Promise<Values>;
  close(): Promise<void>;
}

/** Wrapper of the bodies for each path that tests use. */
const wrappers: Readonly<Record<string, string>> = {
  publisher: 'Publisher',
  advertiser: 'Advertiser',
  campaign: 'Campaign',
  'ortb/vasttag': 'VastTag',
  'ortb/dspvasttag': 'DspRtbEp',
  'ortb/dsprtbep': 'DspRtbEp',
  domainlist: 'DomainList',
  applist: 'AppList',
  iplist: 'IpList',
};

/** A video campaign that bids 4 CPM. */
export const film = {
  Name: 'Film',
  Cpm: 4,
  MediaUrl: 'https://cdn.example/film.mp4',
  Mime: 'video/mp4',
  Duration: 15,
  Width: 640,
  Height: 360,
  ClickUrl: 'https://brand.example/offer?a=1&b=2',
  AdDomain: 'brand.example',
};

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };

/** The zone URL of a tag, with some macros filled and the others as they were handed out. */
export function zoneUrl(tag: Values, macros: Macros = {}): string {
  const [{ ZoneUrl = '' } = {}] = tag.ZoneUrls as readonly { ZoneUrl: string }[];
  return Object.entries(macros).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value)),
    ZoneUrl,
  );
}

const pollMs = 50;
const waitMsMax = 5000;

/** Starts a server with a publisher and an advertiser. Its demand may be private, as the DSPs of tests are. */
export async function openVastRoom(changes: Partial<Config> = {}): Promise<VastRoom> {
  const server = await startTestServer({ allowPrivateDemand: true, ...changes });
  const call: VastRoom['call'] = async (path, body) => {
    const response = await fetch(`${server.url}/api/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Values;
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const send = async (path: string, values: Values) => {
    const wrapper = wrappers[path] ?? '';
    return (await call(`${path}/add`, { [wrapper]: values }))[wrapper] as Stored;
  };
  const publisher = await send('publisher', { ...account, Username: 'pub', SellerId: 'pub-7' });
  const advertiser = await send('advertiser', { ...account, Username: 'adv' });
  const owners: Readonly<Record<string, Values>> = {
    campaign: { AdvertiserId: advertiser.Id, ...film },
    'ortb/vasttag': { PublisherId: publisher.Id },
    'ortb/dspvasttag': { AdvertiserId: advertiser.Id },
    'ortb/dsprtbep': { AdvertiserId: advertiser.Id, VideoEnabled: 1 },
  };
  return {
    server,
    call,
    add: (path, values = {}) => send(path, { ...owners[path], ...values }),
    async served() {
      const changes = (await call('history/get?Limit=1000')) as unknown as readonly { Revision: number }[];
      let last = changes.at(-1)?.Revision ?? 0;
      for (;;) {
        const more = (await call(
          `history/get?Limit=1000&AfterRevision=${last}`,
        )) as unknown as typeof changes;
        if (more.length === 0) break;
        last = more.at(-1)?.Revision ?? last;
      }
      await call(`exchange/status?Revision=${last}`);
    },
    async vast(url, headers = {}) {
      const response = await fetch(url, { headers });
      return { response, text: await response.text() };
    },
    explain: async (tag, Url) =>
      (await call('exchange/explain', { VastTag: { Id: tag.Id }, Request: { Url } })) as unknown as Told,
    auctions: async (tag) =>
      (await call(`exchange/auctions?VastTag=${tag.Id}`)) as unknown as readonly Told[],
    trackers: (text, event) =>
      [...text.matchAll(new RegExp(`${server.url}/track/${event}\\?t=[\\w-]+`, 'g'))].map(([url]) => url),
    async statistics(object, isThere) {
      const url = String(object.StatsByDateJson).replace(/\{date_(from|to)\}/g, '');
      const lateMs = performance.now() + waitMsMax;
      for (;;) {
        const [row = {}] = (await (await fetch(url)).json()) as Values[];
        if (isThere(row)) return row;
        assert.ok(performance.now() < lateMs, `counts are not there yet: ${JSON.stringify(row)}`);
        await delay(pollMs);
      }
    },
    close: () => server.close(),
  };
}
