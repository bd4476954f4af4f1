import { setTimeout as delay } from 'node:timers/promises';
import { exchangeKindNames } from '../../entities/kinds.ts';
import type { ConfigurationFeed } from '../../exchange/configuration.ts';
import { Refusal } from '../../fields/fault.ts';
import {
  type ChangesBegin,
  type ChangesEnd,
  type EdgeHome,
  edgeProtocol,
  type SharedState,
  sharedStateHash,
} from './edge-home.ts';

const changesPerPage = 1000;
const lookEveryMs = 1000;

export interface KnownRevision {
  readonly Home?: string;
  readonly AfterRevision?: number;
  readonly Surroundings?: string;
  readonly WaitSeconds?: number;
}

interface State {
  readonly revision: number;
  readonly sharedState: SharedState;
}

async function nextNews(feed: Pick<ConfigurationFeed, 'onChange'>): Promise<void> {
  const ending = new AbortController();
  const end = feed.onChange(() => ending.abort());
  await delay(lookEveryMs, undefined, { signal: ending.signal }).catch(() => undefined);
  end();
}

async function changedIds(feed: EdgeHome['feed'], afterRevision: number, upTo: number) {
  const ids = new Map<string, Set<number>>(exchangeKindNames.map((entity) => [entity, new Set()]));
  for (let after = afterRevision; after < upTo; ) {
    const page = await feed.changes(after, changesPerPage);
    for (const { revision, entity, id } of page) if (revision <= upTo) ids.get(entity)?.add(id);
    after = page.at(-1)?.revision ?? upTo;
  }
  return ids;
}

async function* linesOf(
  { feed }: EdgeHome,
  begin: ChangesBegin,
  after: number | undefined,
): AsyncGenerator<string> {
  yield `${JSON.stringify(begin)}\n`;
  const changed = after === undefined ? undefined : await changedIds(feed, after, begin.revision);
  const gone: { entity: string; id: number }[] = [];
  let objects = 0;
  for (const entity of exchangeKindNames) {
    const ids = changed?.get(entity);
    if (ids?.size === 0) continue;
    for await (const page of feed.objects(entity, ids && [...ids])) {
      objects += page.length;
      for (const { id } of page) ids?.delete(id);
      yield page.map((object) => `${JSON.stringify(object)}\n`).join('');
    }
    for (const id of ids ?? []) gone.push({ entity, id });
  }
  const end: ChangesEnd = { objects, gone };
  yield `${JSON.stringify(end)}\n`;
}

function assertSameHome(home: string, revision: number, had: KnownRevision): void {
  if (had.Home !== undefined && had.Home !== home)
    throw new Refusal('changed_meanwhile', `This is installation ${home}, but the edge follows ${had.Home}`);
  if ((had.AfterRevision ?? 0) > revision)
    throw new Refusal(
      'changed_meanwhile',
      `This home is at revision ${revision}, before ${had.AfterRevision}, which the edge has: it was restored from a backup`,
    );
}

export function changesAfter(home: EdgeHome, isStopping: () => boolean) {
  const stateNow = async (): Promise<State> => {
    const [revision, surroundings] = await Promise.all([home.feed.revision(), home.sharedState()]);
    return { revision, sharedState: surroundings };
  };
  return async (had: KnownRevision): Promise<AsyncIterable<string>> => {
    const id = await home.id();
    const untilMs = performance.now() + (had.WaitSeconds ?? 0) * 1000;
    const isKnown = ({ revision, sharedState }: State) =>
      revision === had.AfterRevision && sharedStateHash(sharedState) === had.Surroundings;
    let state = await stateNow();
    assertSameHome(id, state.revision, had);
    while (isKnown(state) && performance.now() < untilMs && !isStopping()) {
      await nextNews(home.feed);
      state = await stateNow();
    }
    const { revision, sharedState } = state;
    const after = had.AfterRevision ?? 0;
    const isFollowed = after > 0 && after >= home.changesFrom();
    const begin: ChangesBegin = {
      protocol: edgeProtocol,
      home: id,
      revision,
      ageMs: home.ageMs(),
      ...(isFollowed && { after }),
      ...(sharedStateHash(sharedState) === had.Surroundings ? {} : { surroundings: sharedState }),
    };
    return linesOf(home, begin, isFollowed ? after : undefined);
  };
}
