import assert from 'node:assert/strict';
import { entities } from '../../src/entities/registry.ts';
import type { ExchangeRoom, Stored, Values } from '../exchange/exchange-room.ts';
import type { MockDsp } from '../exchange/mock-dsp.ts';
import type { Case } from './case.ts';
import { endpointOf, kindOf, usualDemand } from './endpoints.ts';
import { answerTo } from './partners.ts';

/** Where cases are played. */
export interface Stage {
  readonly room: ExchangeRoom;
  readonly dsp: MockDsp;
}

/** A case whose objects are configured. */
export interface CaseObjects {
  readonly supply: Stored;
  /** With their kinds as `Entity`. */
  readonly demand: ReadonlyMap<string, Stored>;
  /** Paths of the demand partners, by name. */
  readonly paths: ReadonlyMap<string, string>;
  /** The path that answers name as `{partner}`. */
  readonly partner: string;
}

const entityOf = (name: string) => entities.find(({ key }) => key === name) ?? assert.fail(name);

/** How a kind of demand is connected, and the field of its URL. */
const connections: ReadonlyMap<string, readonly [field: string, url?: string]> = new Map([
  ['Campaign', ['Campaigns']],
  ['DspVastTag', ['DspVastTags', 'ZoneUrlUsEast']],
  ['DspRtbEp', ['DspRtbEps', 'ZoneUrlUsEast']],
  ['DspPopFeed', ['DspPopFeeds', 'FeedUrlUsEast']],
]);

/** The one object of a part of a case, with its kind. */
function objectIn(part: object): readonly [kind: string, values: Values] {
  const objects = Object.entries(part).filter(([name]) => name !== 'answers');
  const [[kind, values] = assert.fail()] = objects;
  assert.equal(objects.length, 1, `one object of ${JSON.stringify(part)}`);
  return [kind, (values ?? {}) as Values];
}

async function addLists({ room }: Stage, { lists = {} }: Case): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const [name, list] of Object.entries(lists)) {
    const [kind, values] = objectIn(list);
    ids.set(name, (await room.add(entityOf(kind).path, { Name: name, ...values })).Id);
  }
  return ids;
}

const listFields = ['DomainsBrandsList', 'AppsList', 'IpBlacklists', 'KeywordBlacklists'];

/** Values with the names of lists replaced by their IDs. */
function withLists(values: Values, lists: ReadonlyMap<string, number>): Values {
  const rows = Object.entries(values).map(([name, value]) => {
    if (!listFields.includes(name)) return [name, value];
    return [name, (value as readonly string[]).map((list) => lists.get(list) ?? assert.fail(list))];
  });
  return Object.fromEntries(rows);
}

interface ForCase extends Pick<CaseObjects, 'supply' | 'demand'> {
  readonly kind: string;
}

/** Connections to the demand of the case that has these names. */
function namedDemand(names: unknown, { demand }: ForCase): Record<string, number[]> {
  const named: Record<string, number[]> = {};
  for (const name of (names ?? []) as readonly string[]) {
    const { Entity, Id } = demand.get(name) ?? assert.fail(name);
    const [field] = connections.get(String(Entity)) ?? assert.fail(name);
    named[field] = [...(named[field] ?? []), Id];
  }
  return named;
}

/** The supply object alone has them, unless they name supply by themselves; `buyers` and `bidders` name demand of the case. */
async function addTerms({ room }: Stage, { deals = {}, floorRules = {} }: Case, of: ForCase): Promise<void> {
  const own = { [`${of.kind}s`]: [of.supply.Id] };
  for (const [Code, { buyers, ...values }] of Object.entries(deals))
    await room.add('deal', { Code, ...own, ...namedDemand(buyers, of), ...values });
  for (const [Name, { bidders, ...values }] of Object.entries(floorRules))
    await room.add('floorrule', { Name, ...own, ...namedDemand(bidders, of), ...values });
}

const deactivate = ({ room }: Stage, kind: string, { Id }: Stored) =>
  room.call(`${entityOf(kind).path}/deactivate`, { [entityOf(kind).wrapper]: { Id } });

/** Configures what a case needs; `number` tells it from the others. */
export async function arrange(stage: Stage, played: Case, number: number): Promise<CaseObjects> {
  const { room, dsp } = stage;
  const lists = await addLists(stage, played);
  const partner = `/${number}`;
  const endpoint = endpointOf(kindOf(played));
  const [demand, paths] = [new Map<string, Stored>(), new Map<string, string>()];
  const connected: Record<string, number[]> = {};
  for (const [name, row] of Object.entries(played.demand)) {
    const [kind, values] = objectIn(row);
    const [field, urlField] = connections.get(kind) ?? assert.fail(kind);
    const path = `${partner}/${encodeURIComponent(name)}`;
    const { answers } = row;
    if (answers) {
      dsp.answer(path, (call) => answerTo(answers, call, dsp.url + partner));
      paths.set(name, path);
    }
    const url = urlField === undefined ? {} : { [urlField]: `${dsp.url}${path}${answers?.query ?? ''}` };
    const all = {
      Name: name,
      ...(answers && url),
      ...usualDemand(kind, endpoint),
      ...withLists(values, lists),
    };
    const stored = await room.add(entityOf(kind).path, all);
    demand.set(name, { ...stored, Entity: kind });
    connected[field] = [...(connected[field] ?? []), stored.Id];
    if (played.inactive?.includes(name)) await deactivate(stage, kind, stored);
  }
  dsp.answer(`${partner}/notices`, () => ({ body: '' }));
  for (const [name, page] of Object.entries(played.pages ?? {}))
    dsp.answer(`${partner}/${name}`, (call) => answerTo(page, call, dsp.url + partner));
  const [kind, values] = objectIn(played.supply);
  const supply = await room.add(entityOf(kind).path, {
    ...endpoint.usual,
    ...withLists(values, lists),
    ...connected,
  });
  await addTerms(stage, played, { kind, supply, demand });
  if (played.inactive?.includes('supply')) await deactivate(stage, kind, supply);
  return { supply, demand, paths, partner };
}
