import assert from 'node:assert/strict';
import type { Stored, Values } from '../exchange/exchange-room.ts';
import type { DspCall } from '../exchange/mock-dsp.ts';
import type { Candidate, Told } from '../exchange/vast-room.ts';
import { faultsOfRequest } from '../protocols/openrtb/bid-request-schema.ts';
import { schemaFaults } from '../protocols/vast/content-models.ts';
import { playedInTurn } from '../protocols/vast/vast-player.ts';
import type { CaseObjects, Stage } from './arrange-case.ts';
import type { Case, CaseRequest, ExpectedAnswer, PartnerRequest } from './case.ts';
import { askFor, bidRequestOf, type EndpointAnswer, endpointOf, fire, kindOf, urlOf } from './endpoints.ts';
import { assertHas, assertOfBidRequest, assertParts, patternOf } from './expected.ts';

/** What an auction that was held tells of demand. */
interface HeldCandidate extends Candidate {
  readonly Refusals: readonly { readonly Rule: string; readonly Field: string }[];
}

/** Whether the exchange can be asked to explain the request: not where its headers, or a stranger's URL, decide. */
const isExplained = ({ headers, query, path, body, method }: CaseRequest) =>
  [headers, query, path, body, method].every((one) => one === undefined);

/** What would become of the request; undefined where it cannot be explained. */
async function explain({ room }: Stage, played: Case, { supply }: CaseObjects): Promise<Told | undefined> {
  const { request = {} } = played;
  if (!isExplained(request)) return undefined;
  const kind = kindOf(played);
  const asked =
    kind === 'RtbEp'
      ? { OpenRtb: bidRequestOf(request) }
      : { Url: urlOf(kind, supply, request, room.server.url) };
  return (await room.call('exchange/explain', {
    [kind]: { Id: supply.Id },
    Request: asked,
  })) as unknown as Told;
}

/** Of a request that was refused as a whole, demand that was not even looked at is not told. */
const candidateOf = ({ Candidates }: Told, { Entity, Id }: Stored): Candidate | undefined =>
  Candidates.find((candidate) => candidate.Entity === Entity && candidate.Id === Id);

/** Explanation and auction name the same rule, but for those that only an answer could refuse. */
function assertAgreed(explained: Told, held: Told, { outcome }: Case, { demand }: CaseObjects): void {
  if (Array.isArray(outcome)) assertOutcome(explained, outcome);
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

function assertOutcome(told: Told, outcome: NonNullable<Case['outcome']>): void {
  const met = [told.Outcome, told.Field].slice(0, [outcome].flat().length);
  assert.deepEqual(met, [outcome].flat(), JSON.stringify(told, undefined, 1));
}

function assertAuction(held: Told, played: Case, { demand }: CaseObjects): void {
  const { won, outcome = 'won', refused = {}, refusedBids = {} } = played;
  assertOutcome(held, outcome);
  for (const [name, stored] of demand) {
    const candidate = candidateOf(held, stored) as HeldCandidate | undefined;
    assert.equal(candidate?.Outcome === 'won', name === won, `${name} must ${name === won ? '' : 'not '}win`);
    const rule = refused[name];
    const found = [name, candidate?.Outcome, candidate?.Rule, candidate?.Field];
    if (rule) assert.deepEqual(found, [name, 'refused', ...rule]);
    const rules = refusedBids[name];
    const bids = new Set(candidate?.Refusals.map(({ Rule, Field }) => `${Rule} ${Field}`));
    if (rules) assert.deepEqual([...bids].toSorted(), rules.map((one) => one.join(' ')).toSorted(), name);
  }
}

/** The calls of a partner, and what the first must hold. */
function assertRequest(calls: readonly DspCall[], name: string, expected: PartnerRequest): void {
  const { body, query, times = 1, ...rest } = expected;
  assert.equal(calls.length, times, `calls of ${name}`);
  const [call] = calls;
  assertHas(call, rest, name);
  if (query !== undefined) assertHas(call?.url.split('?')[1], query, `${name}.query`);
  if (!body) return;
  assertOfBidRequest(body, `${name}.body`);
  assertHas(JSON.parse(call?.body ?? '{}'), body, `${name}.body`);
}

/** What a player does with each ad, with how many of its calls are ours. */
async function turnsOf({ room }: Stage, text: string): Promise<readonly Values[]> {
  const isOurs = (url: string) => url.startsWith(room.server.url);
  const ads = await playedInTurn(text);
  const ours = ads.flatMap(({ impressions }) => impressions.filter(isOurs));
  assert.equal(new Set(ours).size, ours.length, 'each ad has trackers of its own');
  return ads.map(({ media, impressions, errors, clicks }) => ({
    media: media[0],
    impressions: impressions.length,
    ours: {
      impressions: impressions.filter(isOurs).length,
      errors: errors.filter(isOurs).length,
      clicks: clicks.filter(isOurs).length,
    },
  }));
}

async function assertAnswer(
  stage: Stage,
  played: Case,
  { status, headers, text, bids, hasAd }: EndpointAnswer,
) {
  const answer: ExpectedAnswer = played.answer ?? {};
  const [ad, none] = endpointOf(kindOf(played)).statuses;
  assert.equal(status, answer.status ?? (hasAd ? ad : none), `status: ${text}`);
  assert.equal(hasAd, played.won !== undefined, `an ad: ${text}`);
  assertHas(headers, answer.headers ?? {}, 'headers');
  if (answer.text !== undefined) assertHas(text, answer.text, 'answer.text');
  assertParts(text, answer, 'answer');
  for (const [part, times] of Object.entries(answer.times ?? {}))
    assert.equal(text.split(part).length - 1, times, `${part}: ${text}`);
  if (answer.body) assertHas(JSON.parse(text), answer.body, 'answer.body');
  if (answer.bids) assertHas(bids, answer.bids, 'answer.bids');
  if (answer.version !== undefined) {
    assertHas(text, `*<VAST *version="${answer.version}"*`, 'version');
    assert.deepEqual(schemaFaults(text, answer.version as '4.2'), []);
  }
  if (answer.plays) assertHas(await turnsOf(stage, text), answer.plays, 'plays');
}

/** What partners were told as the ID of the auction. */
function auctionIdOf(dsp: Stage['dsp'], { paths }: CaseObjects): string {
  const bodies = [...paths.values()].flatMap((path) => dsp.calls(path)).map(({ body }) => body);
  const last = bodies.findLast((body) => body.startsWith('{'));
  return last === undefined ? '' : String(JSON.parse(last).id);
}

/** Waits for the notices, of which each may come once only, and no other may. */
async function assertNotices({ dsp }: Stage, objects: CaseObjects, expected: readonly string[]) {
  const notices = `${objects.partner}/notices`;
  const id = auctionIdOf(dsp, objects);
  const heard = () => dsp.calls(notices).map(({ url }) => url.split('?')[1] ?? '');
  for (const notice of expected) {
    const pattern = patternOf(notice.replaceAll('{id}', id));
    await dsp
      .call(notices, ({ url }) => pattern.test(url.split('?')[1] ?? ''))
      .catch(() => assert.fail(`no notice ${notice}, but: ${heard().join(', ')}`));
  }
  assert.equal(heard().length, expected.length, `notices: ${heard().join(', ')}`);
}

/** What partners were asked is what the case expects, and each bid request is valid. */
function assertCalls(
  { dsp }: Stage,
  { called, requests = {} }: Case,
  { demand, paths, partner }: CaseObjects,
) {
  const asked = [...paths].filter(([, path]) => dsp.calls(path).length > 0).map(([name]) => name);
  assert.deepEqual(asked.toSorted(), [...(called ?? paths.keys())].toSorted(), 'only these are called');
  for (const [name, path] of paths) {
    if (demand.get(name)?.Entity !== 'DspRtbEp') continue;
    for (const { body } of dsp.calls(path)) assert.deepEqual(faultsOfRequest(JSON.parse(body)), [], name);
  }
  for (const [name, expected] of Object.entries(requests))
    assertRequest(dsp.calls(paths.get(name) ?? `${partner}/${name}`), name, expected);
}

async function assertFaults({ room }: Stage, { faults = {} }: Case, { demand }: CaseObjects) {
  for (const [name, expected] of Object.entries(faults)) {
    const { Entity, Id } = demand.get(name) ?? assert.fail(name);
    const [health] = (await room.call(`health/get?Entity=${Entity}&Ids=${Id}`)) as unknown as Values[];
    assertHas(health?.LastFault, expected, `the last fault of ${name}`);
  }
}

/**
 * Whether the auction tells what the case says, and the explanation the same. Of several auctions within a second only the
 * first is kept: with earlier requests the explanation alone tells of the last.
 */
async function assertExplained(
  { room }: Stage,
  played: Case,
  objects: CaseObjects,
  explained: Told | undefined,
): Promise<void> {
  if (played.earlier) {
    if (explained) assertAuction(explained, played, objects);
    return;
  }
  const auctions = await room.call(`exchange/auctions?${kindOf(played)}=${objects.supply.Id}`);
  const [held] = auctions as unknown as readonly Told[];
  if (played.outcome === 'none') return assert.equal(held, undefined, 'no auction may be held');
  assert.ok(held, 'no auction was held');
  assertAuction(held, played, objects);
  if (explained) assertAgreed(explained, held, played, objects);
}

/** Plays a case: its requests, and once the ad is shown, what comes of it. */
export async function play(stage: Stage, played: Case, objects: CaseObjects): Promise<void> {
  const { room, dsp } = stage;
  const { supply, paths } = objects;
  for (const [at, { request = {}, ad, shown = false }] of (played.earlier ?? []).entries()) {
    const before = await askFor(room, played, supply, request);
    assert.equal(before.hasAd, ad, `earlier[${at}]: ${before.text}`);
    const { fires: _, ...usual } = played;
    if (shown) await fire(room, before, usual);
  }
  const earlier = [...paths.values()].map((path) => dsp.calls(path).length);
  const explained = await explain(stage, played, objects);
  const afterwards = [...paths.values()].map((path) => dsp.calls(path).length);
  assert.deepEqual(afterwards, earlier, 'an explanation calls nobody');
  const answered = await askFor(room, played, supply, played.request ?? {});
  await assertAnswer(stage, played, answered);
  await assertExplained(stage, played, objects, explained);
  const { answer = [], afterwards: later = [] } = played.notices ?? {};
  await assertNotices(stage, objects, answer);
  await fire(room, answered, played);
  await assertNotices(stage, objects, [...answer, ...later]);
  assertCalls(stage, played, objects);
  await assertFaults(stage, played, objects);
}
