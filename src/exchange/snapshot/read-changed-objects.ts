import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ExchangeKind, exchangeKindNames } from '../../entities/kinds.ts';
import type { ConfigurationFeed, ConfigurationObject } from '../configuration.ts';

export interface ObjectsAtRevision {
  readonly objects: Iterable<ConfigurationObject>;
  readonly revision: number;
}

const changesPerPage = 1000;
const passesMax = 4;

type Found = Map<string, ConfigurationObject>;
type Keep = (page: readonly ConfigurationObject[]) => readonly ConfigurationObject[];

const asTheyCome: Keep = (page) => page;

interface Gathering {
  readonly found: Found;
  readonly keep: Keep;
}

async function readObjects(
  feed: ConfigurationFeed,
  entity: ExchangeKind,
  ids: readonly number[] | undefined,
  { found, keep }: Gathering,
): Promise<void> {
  for await (const page of feed.objects(entity, ids)) {
    for (const object of keep(page)) found.set(`${entity}:${object.id}`, object);
    // An in-process database never yields by itself.
    await yieldToEventLoop();
  }
}

async function changedIds(
  feed: ConfigurationFeed,
  afterRevision: number,
  upToRevision: number,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const ids = new Map<string, Set<number>>(exchangeKindNames.map((entity) => [entity, new Set()]));
  for (let after = afterRevision; after < upToRevision; ) {
    const changes = await feed.changes(after, changesPerPage);
    for (const { revision, entity, id } of changes) {
      if (revision <= upToRevision) ids.get(entity)?.add(id);
    }
    after = changes.at(-1)?.revision ?? upToRevision;
  }
  return ids;
}

async function readChanged(
  feed: ConfigurationFeed,
  after: number,
  upTo: number,
  gathering: Gathering,
): Promise<void> {
  const changed = await changedIds(feed, after, upTo);
  for (const entity of exchangeKindNames) {
    const ids = [...(changed.get(entity) ?? [])];
    if (ids.length > 0) await readObjects(feed, entity, ids, gathering);
  }
}

/**
 * Objects changed after a revision (all if undefined), re-read until all are of one moment. If writes never pause, some
 * may be newer than `revision` and come again. `keep` gets each page.
 */
export async function readChangedObjects(
  feed: ConfigurationFeed,
  afterRevision: number | undefined,
  keep: Keep = asTheyCome,
): Promise<ObjectsAtRevision> {
  const found: Found = new Map();
  const gathering = { found, keep };
  let revision = await feed.revision();
  if (afterRevision === undefined) {
    await Promise.all(exchangeKindNames.map((entity) => readObjects(feed, entity, undefined, gathering)));
  } else {
    await readChanged(feed, afterRevision, revision, gathering);
  }
  for (let pass = 1; pass < passesMax; pass += 1) {
    const last = await feed.revision();
    if (last === revision) break;
    await readChanged(feed, revision, last, gathering);
    revision = last;
  }
  return { objects: found.values().toArray(), revision };
}
