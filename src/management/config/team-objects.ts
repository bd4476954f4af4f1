import { setImmediate as turn } from 'node:timers/promises';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import type { Store, StoredObject, TeamReads } from '../../store/interface.ts';
import { createKeys, readKey } from './object-key.ts';

export interface TeamObject {
  readonly entity: Entity;
  readonly key: string;
  readonly object: StoredObject;
}

export interface TeamObjects {
  /** In order of ID. */
  of(entity: string): readonly TeamObject[];
  find(entity: string, key: string): TeamObject | undefined;
  /** Undefined if the team has no such object. */
  keyOf(entity: string, id: number): string | undefined;
  named(entity: string, name: string): number;
}

/** A user's own objects are no configuration: applied elsewhere, they would be the team's. */
const isOfTeam = ({ document }: StoredObject) => !document.UserId;

/** Other work runs between two pages. */
const objectsPerPage = 200;

async function readObjects(reads: TeamReads, entity: Entity): Promise<TeamObject[]> {
  const held: TeamObject[] = [];
  const nextKey = createKeys();
  for (let afterId = 0; ; ) {
    const page = await reads.page(entity, { afterId }, objectsPerPage);
    for (const object of page.filter(isOfTeam))
      held.push({ entity, key: nextKey(String(object.document.Name ?? '')), object });
    if (page.length < objectsPerPage) return held;
    afterId = page.at(-1)?.id ?? 0;
    await turn();
  }
}

interface Index {
  readonly held: readonly TeamObject[];
  readonly byKey: ReadonlyMap<string, TeamObject>;
  readonly keys: ReadonlyMap<number, string>;
  readonly counts: ReadonlyMap<string, number>;
}

function indexOf(held: readonly TeamObject[]): Index {
  const counts = new Map<string, number>();
  for (const { key } of held) {
    const { name = '', n = 0 } = readKey(key) ?? {};
    counts.set(name, n);
  }
  return {
    held,
    byKey: new Map(held.map((one) => [one.key, one])),
    keys: new Map(held.map(({ key, object }) => [object.id, key])),
    counts,
  };
}

export async function readTeam(reads: TeamReads): Promise<TeamObjects> {
  const indexes = new Map<string, Index>();
  for (const entity of entities) indexes.set(entity.key, indexOf(await readObjects(reads, entity)));
  return {
    of: (entity) => indexes.get(entity)?.held ?? [],
    find: (entity, key) => indexes.get(entity)?.byKey.get(key),
    keyOf: (entity, id) => indexes.get(entity)?.keys.get(id),
    named: (entity, name) => indexes.get(entity)?.counts.get(name) ?? 0,
  };
}

/** In order. */
export function connectedKeys(team: TeamObjects, to: string, ids: unknown): readonly string[] {
  return (ids as readonly number[]).flatMap((id) => team.keyOf(to, id) ?? []);
}

export async function readText(reads: TeamReads, { entity, object }: TeamObject): Promise<string> {
  const parts: string[] = [];
  for await (const part of reads.text(entity, object.id)) parts.push(part);
  return parts.join('\n');
}

const attemptsMax = 3;

/** As of one moment: retries if it changed, after three attempts while writers wait (reference, C12). */
export async function readConsistently<T>(
  store: Store,
  teamId: number,
  read: (reads: TeamReads) => Promise<T>,
): Promise<T> {
  const reads = store.reads(teamId);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const revision = await reads.revision();
    const result = await read(reads);
    if ((await reads.revision()) === revision) return result;
  }
  return store.write({ teamId, userId: 0 }, read, { dryRun: true });
}
