import assert from 'node:assert/strict';
import { entities } from '../../src/entities/registry.ts';
import type { Macros, Stored, Values } from '../exchange/exchange-room.ts';
import { zoneUrl } from '../exchange/exchange-room.ts';
import {
  bidResponse,
  type DspAnswer,
  type DspCall,
  type MockDsp,
  pricing,
  vastAd,
} from '../exchange/mock-dsp.ts';
import { post, requestOf } from '../exchange/rtb-room.ts';
import type { Candidate, Told, VastRoom } from '../exchange/vast-room.ts';
import { schemaFaults } from '../protocols/vast/content-models.ts';
import { playedInTurn } from '../protocols/vast/vast-player.ts';
import type { Answers, Case, PartnerRequest } from './case.ts';

/** Where cases are played. */
export interface Stage {
  readonly room: VastRoom;
  readonly dsp: MockDsp;
}

/** A case whose objects are configured. */
export interface Arranged {
  readonly supply: Stored;
  readonly kind: string;
  /** With their kinds as `Entity`. */
  readonly demand: ReadonlyMap<string, Stored>;
  /** Paths of the demand partners, by name. */
  readonly paths: ReadonlyMap<string, string>;
  /** The path that answers name as `{partner}`. */
  readonly partner: string;
}

const entityOf = (name: string) => entities.find(({ key }) => key === name) ?? assert.fail(name);

const supplyDefaults: Readonly<Record<string, Values>> = {
  VastTag: { Tmax: 5000 },
  RtbEp: { BannerEnabled: 1, VideoEnabled: 1, AudioEnabled: 1, NativeEnabled: 1, PopEnabled: 1 },
};
const demandFields: Readonly<Record<string, string>> = {
  Campaign: 'Campaigns',
  DspVastTag: 'DspVastTags',
  DspRtbEp: 'DspRtbEps',
};

/** The one object of a part of a case, with its kind. */
function objectIn(part: object): readonly [kind: string, values: Values] {
  const [found = assert.fail(`no object in ${JSON.stringify(part)}`)] = Object.entries(part).filter(
    ([name]) => name !== 'answers',
  );
  return [found[0], (found[1] ?? {}) as Values];
}

function vastOf({ price, currency, model, ...ad }: NonNullable<Answers['vast']>): string {
  return vastAd({ ...ad, ...(price !== undefined && { pricing: pricing(String(price), currency, model) }) });
}

function answerTo(answers: Answers, call: DspCall, partner: string): DspAnswer {
  const text = JSON.stringify(answers).replaceAll('{partner}', partner);
  const { vast, bid, response, status, body }: Answers = JSON.parse(text);
  if (bid) {
    const { adm } = bid as { readonly adm?: string | { readonly vast: NonNullable<Answers['vast']> } | null };
    const markup = typeof adm === 'object' ? { adm: adm?.vast && vastOf(adm.vast) } : {};
    return bidResponse(call, { ...bid, ...markup }, response);
  }
  if (response) return { body: JSON.stringify({ id: JSON.parse(call.body).id, ...response }) };
  return { body: body ?? (vast ? vastOf(vast) : ''), ...(status !== undefined && { status }) };
}

async function addLists({ room }: Stage, { lists = {} }: Case): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const [name, list] of Object.entries(lists)) {
    const [kind, values] = objectIn(list);
    ids.set(name, (await room.add(entityOf(kind).path, { Name: name, ...values })).Id);
  }
  return ids;
}

const listFields = ['DomainsBrandsList', 'AppsList', 'IpBlacklists'];

/** Values with the names of lists replaced by their IDs. */
function withLists(values: Values, lists: ReadonlyMap<string, number>): Values {
  const rows = Object.entries(values).map(([name, value]) => {
    if (!listFields.includes(name)) return [name, value];
    return [name, (value as readonly string[]).map((list) => lists.get(list) ?? assert.fail(list))];
  });
  return Object.fromEntries(rows);
}

/** Configures what a case needs; `number` tells it from the others. */
export async function arrange(stage: Stage, played: Case, number: number): Promise<Arranged> {
  const { room, dsp } = stage;
  const lists = await addLists(stage, played);
  const partner = `/${number}`;
  const [demand, paths] = [new Map<string, Stored>(), new Map<string, string>()];
  const connections: Record<string, number[]> = {};
  for (const [name, row] of Object.entries(played.demand)) {
    const [kind, values] = objectIn(row);
    const path = `${partner}/${encodeURIComponent(name)}`;
    const { answers } = row;
    if (answers) {
      dsp.answer(path, (call) => answerTo(answers, call, dsp.url + partner));
      paths.set(name, path);
    }
    const url = answers ? { ZoneUrlUsEast: `${dsp.url}${path}${answers.query ?? ''}` } : {};
    const stored = await room.add(entityOf(kind).path, { ...url, Name: name, ...withLists(values, lists) });
    demand.set(name, { ...stored, Entity: kind });
    const field = demandFields[kind] ?? assert.fail(kind);
    connections[field] = [...(connections[field] ?? []), stored.Id];
  }
  dsp.answer(`${partner}/notices`, () => ({ body: '' }));
  for (const [name, page] of Object.entries(played.pages ?? {}))
    dsp.answer(`${partner}/${name}`, (call) => answerTo(page, call, dsp.url + partner));
  const [kind, values] = objectIn(played.supply);
  const all = { ...supplyDefaults[kind], ...withLists(values, lists), ...connections };
  return { supply: await room.add(entityOf(kind).path, all), kind, demand, paths, partner };
}

/** Whether a value has all that is expected of it: of objects some members, `null` for one that must be absent. */
function assertHas(value: unknown, expected: unknown, path: string): void {
  if (expected === null) assert.equal(value ?? null, null, `${path} must be absent`);
  else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(value) && value.length === expected.length, `${path}: ${JSON.stringify(value)}`);
    for (const [at, one] of expected.entries()) assertHas(value[at], one, `${path}[${at}]`);
  } else if (typeof expected !== 'object') assert.deepEqual(value, expected, path);
  else if (typeof value === 'number') {
    const { min, max } = expected as { readonly min: number; readonly max: number };
    assert.ok(value >= min && value <= max, `${path}: ${value}`);
  } else {
    for (const [name, one] of Object.entries(expected))
      assertHas((value as Values | undefined)?.[name], one, `${path}.${name}`);
  }
}

/** What was answered: the document or body, and whether there is an ad in it. */
interface Answered {
  readonly text: string;
  readonly isAd: boolean;
  /** Calls what a player or an exchange calls once the ad is shown, twice. */
  readonly show: () => Promise<void>;
}

async function ask({ room }: Stage, { request = {} }: Case, arranged: Arranged): Promise<Answered> {
  const { supply, kind } = arranged;
  if (kind === 'RtbEp') {
    const { bids, body } = await post(
      zoneUrl(supply),
      requestOf(request.imp ?? [], request.members),
      request.headers,
    );
    const urls = bids.flatMap(({ nurl, burl, adm }) => [
      nurl,
      burl ?? '',
      ...room.trackers(adm, 'impression'),
    ]);
    const show = async () => {
      for (const url of urls.filter(Boolean)) for (const _ of [1, 2]) await fetch(url);
    };
    return { text: JSON.stringify(body ?? {}), isAd: bids.length > 0, show };
  }
  const { response, text } = await room.vast(zoneUrl(supply, request.macros as Macros), request.headers);
  assert.equal(response.status, 200);
  const show = async () => {
    const [impression = assert.fail('an ad without a tracker')] = room.trackers(text, 'impression');
    for (const _ of [1, 2]) assert.equal((await fetch(impression)).status, 200);
  };
  return { text, isAd: (await playedInTurn(text)).length > 0, show };
}

/** What would become of the request; undefined where only headers tell it. */
async function explain(
  { room }: Stage,
  { request = {} }: Case,
  { supply, kind }: Arranged,
): Promise<Told | undefined> {
  if (request.headers) return undefined;
  const asked =
    kind === 'RtbEp'
      ? { OpenRtb: requestOf(request.imp ?? [], request.members) }
      : { Url: zoneUrl(supply, request.macros as Macros) };
  return (await room.call('exchange/explain', {
    [kind]: { Id: supply.Id },
    Request: asked,
  })) as unknown as Told;
}

/** Of a request that was refused as a whole, demand that was not even looked at is not told. */
const candidateOf = ({ Candidates }: Told, { Entity, Id }: Stored): Candidate | undefined =>
  Candidates.find((candidate) => candidate.Entity === Entity && candidate.Id === Id);

/** Explanation and auction name the same rule, but for those that only an answer could refuse. */
function assertAgreed(explained: Told, held: Told, { demand }: Arranged): void {
  for (const { Rule, Wanted, Met, Price } of [...explained.Candidates, ...held.Candidates]) {
    if (Rule === 'lost')
      assert.ok(Met === Price && Number(Wanted) >= Number(Met), `${Wanted}, ${Met}, ${Price}`);
  }
  for (const [name, stored] of demand) {
    const [told, met] = [candidateOf(explained, stored), candidateOf(held, stored)];
    assert.ok(told, 'all connected demand is explained');
    if (!met || told.Outcome !== 'refused' || told.Rule === 'lost') continue;
    assert.deepEqual([name, met.Rule, met.Field, met.Wanted], [name, told.Rule, told.Field, told.Wanted]);
  }
}

function assertHeld(held: Told, { won, outcome, refused = {} }: Case, { demand }: Arranged): void {
  assert.equal(held.Outcome, outcome ?? 'won', JSON.stringify(held));
  for (const [name, stored] of demand) {
    const met = candidateOf(held, stored);
    assert.equal(met?.Outcome === 'won', name === won, `${name} must ${name === won ? '' : 'not '}win`);
    const expected = refused[name];
    if (expected)
      assert.deepEqual([name, met?.Outcome, met?.Rule, met?.Field], [name, 'refused', ...expected]);
  }
}

/** The one call of a partner, and what it must hold. */
function assertRequest(calls: readonly DspCall[], name: string, expected: PartnerRequest): void {
  assert.equal(calls.length, 1, `calls of ${name}`);
  const [call] = calls;
  const { body, query, ...rest } = expected;
  assertHas(call, rest, name);
  if (query !== undefined) assert.equal(call?.url.split('?')[1], query, name);
  if (body) assertHas(JSON.parse(call?.body ?? '{}'), body, `${name}.body`);
}

async function assertAnswer({ room }: Stage, text: string, answer: NonNullable<Case['answer']>) {
  for (const part of answer.contains ?? []) assert.ok(text.includes(part), `without ${part}: ${text}`);
  for (const part of answer.lacks ?? []) assert.ok(!text.includes(part), `with ${part}: ${text}`);
  for (const [part, times] of Object.entries(answer.times ?? {}))
    assert.equal(text.split(part).length - 1, times, `${part}: ${text}`);
  if (answer.version !== undefined) {
    assert.match(text, new RegExp(`<VAST [^>]*version="${answer.version}"`));
    assert.deepEqual(schemaFaults(text, answer.version as '4.2'), []);
  }
  if (!answer.plays) return;
  const isOurs = (url: string) => url.startsWith(room.server.url);
  const ads = await playedInTurn(text);
  const impressionsOfOurs = ads.flatMap(({ impressions }) => impressions.filter(isOurs));
  assert.equal(new Set(impressionsOfOurs).size, impressionsOfOurs.length, 'each ad has trackers of its own');
  const turns = ads.map(({ media, impressions, errors, clicks }) => ({
    media: media[0],
    impressions: impressions.length,
    ours: {
      impressions: impressions.filter(isOurs).length,
      errors: errors.filter(isOurs).length,
      clicks: clicks.filter(isOurs).length,
    },
  }));
  assertHas(turns, answer.plays, 'plays');
}

/** `*` stands for any text. */
const patternOf = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.?+^$(){}|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

/** Waits for the notices, of which each may come once only, and no other may. */
async function assertNotices({ dsp }: Stage, { partner }: Arranged, expected: readonly string[]) {
  const notices = `${partner}/notices`;
  for (const pattern of expected.map(patternOf))
    await dsp.call(notices, ({ url }) => pattern.test(url.split('?')[1] ?? ''));
  const got = dsp.calls(notices).map(({ url }) => url.split('?')[1] ?? '');
  assert.equal(got.length, expected.length, `notices: ${got.join(', ')}`);
}

/** Plays a case: its request, and once the ad is shown, what comes of it. */
export async function play(stage: Stage, played: Case, arranged: Arranged): Promise<void> {
  const { room, dsp } = stage;
  const { supply, kind, paths } = arranged;
  const explained = await explain(stage, played, arranged);
  for (const path of paths.values()) assert.equal(dsp.calls(path).length, 0, 'an explanation calls nobody');
  const { text, isAd, show } = await ask(stage, played, arranged);
  assert.equal(isAd, played.won !== undefined, text);
  const auctions = await room.call(`exchange/auctions?${kind}=${supply.Id}`);
  const [held = assert.fail('no auction was held')] = auctions as unknown as readonly Told[];
  assertHeld(held, played, arranged);
  if (explained) assertAgreed(explained, held, arranged);
  const called = [...paths].filter(([, path]) => dsp.calls(path).length > 0).map(([name]) => name);
  assert.deepEqual(called, played.called ?? [...paths.keys()], 'only these are called');
  await assertAnswer(stage, text, played.answer ?? {});
  const { answer = [], impression = [] } = played.notices ?? {};
  await assertNotices(stage, arranged, answer);
  if (isAd) await show();
  await assertNotices(stage, arranged, [...answer, ...impression]);
  for (const [name, expected] of Object.entries(played.requests ?? {}))
    assertRequest(dsp.calls(paths.get(name) ?? `${arranged.partner}/${name}`), name, expected);
}

/** One request, its bids, a win where there is one, its impression once; and nothing of demand that did not win. */
export async function assertCounted({ room }: Stage, played: Case, arranged: Arranged): Promise<void> {
  const { supply, demand } = arranged;
  const won = Number(played.won !== undefined);
  const { supply: expected = {}, ...others } = played.counts;
  const counted = await room.statistics(
    supply,
    ({ Requests, Bids, Bills }) =>
      Number(Requests) > 0 && Number(Bids) >= Number(expected.Bids ?? 0) && Number(Bills) >= won,
  );
  const always = { Requests: 1, Wins: won, Bills: won, NetImpressions: won, Clicks: 0 };
  assertHas(counted, { ...always, ...expected }, 'supply');
  for (const [name, stored] of demand) {
    // Campaigns hand out no statistics URLs.
    if (stored.StatsByDateJson === undefined) continue;
    const wins = Number(name === played.won);
    const theirs = await room.statistics(stored, ({ Wins }) => Number(Wins) >= wins);
    assertHas(theirs, { Wins: wins, Bills: wins, ...others[name] }, name);
  }
}
