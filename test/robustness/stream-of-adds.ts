import type { Api, Json, Reply } from './api.ts';

/** An object that the server has answered 200 for, as its last answer showed it. */
export interface Kept {
  readonly path: string;
  readonly object: Json & { readonly Id: number };
  /** Lines of a list's text. */
  readonly lines?: readonly string[];
}

/** What a stream knows: everything that was answered, by path and ID. */
export interface Stream {
  readonly kept: Map<string, Kept>;
  /** Answers with 200 so far. */
  answered: number;
  /** Owners asked for so far, answered or not: the next one's user name. */
  owners: number;
}

type Work = (api: Api, stream: Stream, turn: number) => Promise<void>;

const nameOf = (path: string, id: number) => `${path} ${id}`;

function keep(
  stream: Stream,
  { status, body, text }: Reply,
  path: string,
  wrapper: string,
  lines?: string[],
): void {
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
  const object = body[wrapper] as Kept['object'];
  stream.kept.set(nameOf(path, object.Id), { path, object, ...(lines ? { lines } : {}) });
  stream.answered += 1;
}

/** IDs of the last objects of a path that were answered. */
function lastIds({ kept }: Stream, path: string, count: number): number[] {
  return [...kept.values()]
    .filter((each) => each.path === path)
    .slice(-count)
    .map(({ object }) => object.Id);
}

const addOwners: Work = async (api, stream, turn) => {
  stream.owners += 1;
  const owner = { Mail: 'desk@example.com', Country: 'US', Username: `u${stream.owners}` };
  const publisher = await api.post('/api/publisher/add', { Publisher: { ...owner, Name: `Media ${turn}` } });
  keep(stream, publisher, 'publisher', 'Publisher');
  const advertiser = await api.post('/api/advertiser/add', {
    Advertiser: { ...owner, Name: `Brand ${turn}` },
  });
  keep(stream, advertiser, 'advertiser', 'Advertiser');
};

/** A VAST Tag connected to the last DSP VAST Tags: their own answers are then out of date, so they go. */
const addConnected: Work = async (api, stream, turn) => {
  const [PublisherId, AdvertiserId] = [
    lastIds(stream, 'publisher', 1)[0],
    lastIds(stream, 'advertiser', 1)[0],
  ];
  const dsp = { AdvertiserId, Name: `dsp ${turn}`, Countries: [{ CC: 'US' }], PubIdList: 'x\n'.repeat(2000) };
  keep(stream, await api.post('/api/ortb/dspvasttag/add', { DspRtbEp: dsp }), 'ortb/dspvasttag', 'DspRtbEp');
  const DspVastTags = lastIds(stream, 'ortb/dspvasttag', 5).toReversed();
  const tag = { PublisherId, Name: `tag ${turn}`, DspVastTags, Mimes: ['video/mp4'] };
  keep(stream, await api.post('/api/ortb/vasttag/add', { VastTag: tag }), 'ortb/vasttag', 'VastTag');
};

/** A list of several parts. */
const addList: Work = async (api, stream, turn) => {
  const lines = Array.from({ length: 25_000 }, (_, line) => `d${turn}-${line}.example.com`);
  const sent = { DomainList: { Name: `list ${turn}`, ListText: lines.join('\n') } };
  keep(stream, await api.post('/api/domainlist/add', sent), 'domainlist', 'DomainList', lines);
};

/** Another text in the place of the last one. While it is under way nobody can tell which of both is there. */
const changeList: Work = async (api, stream, turn) => {
  const [Id = 0] = lastIds(stream, 'domainlist', 1);
  stream.kept.delete(nameOf('domainlist', Id));
  const lines = Array.from({ length: 15_000 }, (_, line) => `c${turn}-${line}.example.org`);
  const sent = { DomainList: { Id, ListText: lines.join('\n') } };
  keep(stream, await api.post('/api/domainlist/update', sent), 'domainlist', 'DomainList', lines);
};

const deactivate: Work = async (api, stream) => {
  const [Id = 0] = lastIds(stream, 'publisher', 1);
  stream.kept.delete(nameOf('publisher', Id));
  keep(stream, await api.post('/api/publisher/deactivate', { Publisher: { Id } }), 'publisher', 'Publisher');
};

const workers: readonly (readonly Work[])[] = [
  [addOwners, addConnected, addConnected],
  [addOwners, addConnected, deactivate],
  [addList, changeList],
];

/**
 * Adds and changes objects in several streams at once until the server is gone. Calls `onAnswer` at each answer;
 * what had no answer is neither kept nor missed.
 */
export async function addUntilGone(api: Api, stream: Stream, onAnswer: () => void): Promise<void> {
  let isGone = false;
  const run = async (works: readonly Work[]) => {
    for (let turn = 0; !isGone; turn += 1) {
      const work = works[turn % works.length];
      try {
        await work?.(api, stream, turn);
        onAnswer();
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        isGone = true;
      }
    }
  };
  await Promise.all(workers.map(run));
}

/** What `fetch` rejects with when the other end has gone. */
function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}
