import assert from 'node:assert/strict';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import { type Found, type Json, requiredQuery } from '../openapi/document.ts';
import { jsonOf } from '../postgres/caller.ts';
import { entityAt } from './requests.ts';
import type { RunningExchange, TeamAccess } from './running-exchange.ts';

type Fetched = Json & { readonly Id: number };
/** Every object of a team in its single form, by entity and ID. */
export type Everything = ReadonlyMap<string, ReadonlyMap<number, Fetched>>;

const fetchesAtOnce = 8;
const changesAtOnce = 1000;

async function inTurns<T, R>(items: readonly T[], job: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += fetchesAtOnce)
    results.push(...(await Promise.all(items.slice(from, from + fetchesAtOnce).map(job))));
  return results;
}

/** Members that the server finds anew each minute. */
const found: ReadonlySet<string> = new Set(
  entities.flatMap(({ fields }) =>
    Object.keys(fields).filter((name) => ['alertState', 'pace'].includes(fields[name]?.place.kind ?? '')),
  ),
);

/** A text without what the server has found meanwhile. */
const withoutFound = (text: string) =>
  JSON.stringify(JSON.parse(text, (name, value) => (found.has(name) ? undefined : value)));

/** Fetches a team's objects, alone and in arrays, which must agree. */
async function fetchEverything({ caller }: TeamAccess): Promise<Everything> {
  const all = new Map<string, Map<number, Fetched>>();
  for (const { key, path } of entities) {
    const array = jsonOf(await caller.get(`/api/${path}/get`)) as Fetched[];
    const objects = await inTurns(array, async (shown) => {
      const whole = jsonOf(await caller.get(`/api/${path}/get?Id=${shown.Id}`)) as Fetched;
      const members = Object.keys(shown).filter((name) => !found.has(name));
      const membersOf = (object: Fetched) => members.map((name) => [name, object[name]]);
      assert.deepEqual(membersOf(shown), membersOf(whole), `${key} ${shown.Id} is another in the array`);
      return whole;
    });
    all.set(key, new Map(objects.map((object) => [object.Id, object])));
  }
  return all;
}

const idsIn = (value: unknown) => value as number[];

/** Who names whom in one field of an entity, as `<id>-<other>`, sorted. */
function pairs(all: Everything, key: string, field: string, order: 'own first' | 'other first'): string[] {
  const objects = [...(all.get(key)?.values() ?? [])];
  return objects
    .flatMap((object) =>
      idsIn(object[field]).map((other) =>
        order === 'own first' ? `${object.Id}-${other}` : `${other}-${object.Id}`,
      ),
    )
    .toSorted();
}

/** Both sides of every connection show it, once, and nobody shows an object that is not there. */
function assertSymmetry(all: Everything, { key, fields }: Entity): void {
  for (const [name, { place }] of Object.entries(fields)) {
    const isTwoSided = place.kind === 'connection' && place.mirror !== undefined;
    const [to, theirs] = place.kind === 'connection' ? [place.to, place.mirror] : [];
    const [from, field] = place.kind === 'backReference' ? [place.from, place.field] : [to, theirs];
    if (place.kind !== 'connection' && place.kind !== 'backReference') continue;
    const own = pairs(all, key, name, 'own first');
    assert.equal(new Set(own).size, own.length, `${key}.${name} names an object twice`);
    for (const object of all.get(key)?.values() ?? [])
      for (const id of idsIn(object[name]))
        assert.ok(all.get(from ?? '')?.has(id), `${key} ${object.Id}.${name} names ${from} ${id}`);
    if (!isTwoSided && place.kind === 'connection') continue;
    assert.deepEqual(
      own,
      pairs(all, from ?? '', field ?? '', 'other first'),
      `${key}.${name} and ${from}.${field}`,
    );
  }
}

/** Counts, names of owners and numbers of lines are those of the objects that they tell of. */
function assertDerived(all: Everything, { key, fields, owner }: Entity): void {
  const lineCounts = Object.keys(fields).filter((name) => fields[name]?.place.kind === 'lineCount');
  for (const object of all.get(key)?.values() ?? []) {
    const where = `${key} ${object.Id}`;
    for (const [name, { place }] of Object.entries(fields)) {
      if (place.kind === 'count') {
        const owned = [...(all.get(place.of)?.values() ?? [])].filter(
          (each) => each[`${key}Id`] === object.Id,
        );
        assert.equal(object[name], owned.length, `${where}.${name}`);
      }
      if (place.kind === 'ownerName' && owner)
        assert.equal(object[name], all.get(owner.entity)?.get(Number(object[owner.field]))?.Name, where);
      if (place.kind === 'statusString')
        assert.equal(object[name], object.Status === 0 ? 'Active' : 'Inactive', where);
    }
    if (lineCounts.length === 0) continue;
    const text = String(object.ListText);
    const counted = lineCounts.reduce((sum, name) => sum + Number(object[name]), 0);
    assert.equal(counted, text === '' ? 0 : text.split('\n').length, `${where} counts its lines`);
  }
}

/** The log of all teams has each revision once, from the first to the last. */
async function assertLogWhole({ store, own, other }: RunningExchange): Promise<void> {
  const revisions: number[] = [];
  for (const { teamId } of [own, other]) {
    for (let afterRevision = 0; ; ) {
      const page = await store.changes(teamId, { afterRevision }, changesAtOnce);
      revisions.push(...page.map(({ revision }) => revision));
      if (page.length < changesAtOnce) break;
      afterRevision = page.at(-1)?.revision ?? 0;
    }
  }
  assert.deepEqual(
    revisions.toSorted((a, b) => a - b),
    revisions.map((_, index) => index + 1),
  );
  assert.equal(await store.revision(), revisions.length);
}

/** What must hold after any requests; answers all objects of the own team. */
export async function assertInvariants(exchange: RunningExchange): Promise<Everything> {
  const all = await fetchEverything(exchange.own);
  for (const entity of entities) {
    assertSymmetry(all, entity);
    assertDerived(all, entity);
  }
  await assertLogWhole(exchange);
  return all;
}

/**
 * Everything that a team can GET without parameters that it needs, each answer byte by byte; of single objects those of
 * `ids`.
 */
export async function exported(
  { caller }: TeamAccess,
  operations: readonly Found[],
  ids: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, string>> {
  const paths = operations
    .filter(({ method, operation }) => method === 'GET' && operation.security === undefined)
    .filter(({ operation }) => requiredQuery(operation) === '')
    // They tell the time, too, or what was found meanwhile, or are for partners.
    .filter(
      ({ path }) =>
        !/\/figures\/|\/portal\/|alert\/log$|health\/list$|statistics\/live$|session\/get$/.test(path),
    )
    .flatMap(({ path }) => {
      const id = ids.get(entityAt(path)?.key ?? '');
      return id === undefined ? [path] : [path, `${path}?Id=${id}`];
    });
  const texts = await inTurns(paths, async (path) => {
    const { status, text } = await caller.get(path);
    assert.equal(status, 200, `${path}: ${text}`);
    return [path, path.startsWith('/api/alert/') ? withoutFound(text) : text] as const;
  });
  return new Map(texts);
}
