import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;

before(async () => {
  room = await openVastRoom();
});
after(() => room.close());

interface Told {
  readonly status: number;
  readonly Outcome?: string;
  readonly Candidates?: readonly (Values & { readonly Refusals: readonly Values[] })[];
  readonly Errors?: readonly Values[];
}

/** Explains a request to a tag, with unsaved values. */
async function ask(tag: Stored, Draft: unknown, more: Values = {}): Promise<Told> {
  const response = await fetch(`${room.server.url}/api/exchange/explain`, {
    method: 'POST',
    headers: { authorization: `Bearer ${room.server.token}` },
    body: JSON.stringify({ VastTag: { Id: tag.Id }, Request: { Url: zoneUrl(tag) }, Draft, ...more }),
  });
  return { status: response.status, ...((await response.json()) as Omit<Told, 'status'>) };
}

const rules = ({ Candidates = [] }: Told) =>
  Candidates.map(({ Id, Refusals }) => [Id, ...Refusals.map(({ Rule }) => Rule)]);

test('values of the object itself are explained before they are saved, and nothing else sees them', async () => {
  const film = await room.add('campaign', { Cpm: 1 });
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  await room.served();
  const drafted = await ask(tag, { Bidfloor: 2 });
  assert.deepEqual(rules(drafted), [[film.Id, 'below_floor']]);
  assert.match(String(drafted.Candidates?.[0]?.Refusals[0]?.Help), /floor/);
  assert.deepEqual(rules(await ask(tag, undefined)), [[film.Id]]);
  assert.match((await room.vast(zoneUrl(tag))).text, /<Ad /);
  assert.deepEqual(rules(await ask(tag, { VastTag: { Id: tag.Id, Campaigns: [] } })), []);
});

test('values of one demand object are explained, also where they are what connects it', async () => {
  const film = await room.add('campaign', { Countries: [{ CC: 'NO' }] });
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  const free = await room.add('campaign', {});
  await room.served();
  assert.deepEqual(rules(await ask(tag, undefined)), [[film.Id, 'country_not_targeted']]);
  assert.deepEqual(rules(await ask(tag, { Campaign: { Id: film.Id, Countries: [] } })), [[film.Id]]);
  assert.deepEqual(rules(await ask(tag, { Campaign: { Id: film.Id, VastTags: [] } })), []);
  const joining = await ask(tag, { Campaign: { Id: free.Id, VastTags: [tag.Id] } });
  assert.deepEqual(rules(joining), [[film.Id, 'country_not_targeted'], [free.Id]]);
  const alone = await ask(tag, { Campaign: { Id: free.Id, Cpm: 3 } });
  assert.deepEqual([alone.status, alone.Errors?.[0]?.Path], [406, 'Draft.Campaign.Id']);
});

test('a list that no saved object uses is read for a draft, and an auction does not see it', async () => {
  const film = await room.add('campaign');
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  const list = await room.add('domainlist', { Name: 'Drafted', ListText: 'blocked.example' });
  await room.served();
  const Url = zoneUrl(tag, { site_url: 'https://blocked.example/' });
  const draft = { DomainsBrandsList: [list.Id] };
  const [listed, other] = [await ask(tag, draft, { Request: { Url } }), await ask(tag, draft)];
  assert.deepEqual([listed.Outcome, other.Outcome], ['domain_listed', 'won']);
  assert.match((await room.vast(Url)).text, /<Ad /);
});

test('a draft of the last request that was seen is explained too', async () => {
  const film = await room.add('campaign');
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  await room.served();
  await room.vast(zoneUrl(tag));
  assert.deepEqual(rules(await ask(tag, { Bidfloor: 90 }, { Request: undefined })), [
    [film.Id, 'below_floor'],
  ]);
});

test('a draft is checked like an update, its faults at their paths', async () => {
  const film = await room.add('campaign');
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  await room.served();
  const cases: readonly (readonly [draft: unknown, path: string, code: string])[] = [
    [{ Bidfloor: -1 }, 'Draft.Bidfloor', 'out_of_range'],
    [{ Bidflor: 1 }, 'Draft.Bidflor', 'unknown_field'],
    [{ Campaigns: [999_999] }, 'Draft.Campaigns[0]', 'not_found'],
    [{ Auth: 'chosen' }, 'Draft.Auth', 'read_only'],
    [{ Id: 999_999 }, 'Draft.Id', 'not_found'],
    [{ Campaign: { Id: film.Id, Cpm: 'x' } }, 'Draft.Campaign.Cpm', 'type'],
    [{ Campaign: { Cpm: 1 } }, 'Draft.Campaign.Id', 'required'],
    [{ Campaign: 1 }, 'Draft.Campaign', 'type'],
    [{ Campaign: { Id: film.Id }, Bidfloor: 1 }, 'Draft', 'wrapper'],
    ['x', 'Draft', 'type'],
  ];
  for (const [draft, path, code] of cases) {
    const { status, Errors = [] } = await ask(tag, draft);
    const [{ Path, Code } = {}] = Errors;
    assert.deepEqual([status, Path, Code], [406, path, code], JSON.stringify(draft));
  }
  assert.equal((await ask(tag, tag)).status, 200, 'what was fetched is sent back');
});
