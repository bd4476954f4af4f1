import type { Config } from '../../src/config.ts';
import { type ExchangeRoom, openExchange, type Values } from './exchange-room.ts';

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
  /** Of an auction that was held. */
  readonly Domain?: string;
  readonly Candidates: readonly Candidate[];
}

/** An exchange whose VAST Tags tests ask as players do. Campaigns are films unless told otherwise. */
export interface VastRoom extends ExchangeRoom {
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
}

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

/** What tests do not tell of an object, by its path. */
const usual: Readonly<Record<string, Values>> = { campaign: film, 'ortb/dsprtbep': { VideoEnabled: 1 } };

export async function openVastRoom(changes: Partial<Config> = {}): Promise<VastRoom> {
  const room = await openExchange(changes);
  const { server, call } = room;
  return {
    ...room,
    add: (path, values) => room.add(path, { ...usual[path], ...values }),
    async vast(url, headers = {}) {
      const response = await fetch(url, { headers });
      return { response, text: await response.text() };
    },
    explain: async (tag, Url) =>
      (await call('exchange/explain', { VastTag: { Id: tag.Id }, Request: { Url } })) as unknown as Told,
    auctions: async (tag) =>
      (await call(`exchange/auctions?VastTag=${tag.Id}`)) as unknown as readonly Told[],
    trackers: (text, event) =>
      [...text.matchAll(new RegExp(`${server.url}/track/${event}\\?t=[\\w.:~-]+`, 'g'))].map(([url]) => url),
  };
}
