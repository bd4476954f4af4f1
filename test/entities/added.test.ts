import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import {
  type ExchangeRoom,
  furnish,
  reported,
  type Stored,
  type Values,
  zoneUrl,
} from '../exchange/exchange-room.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { houseAdFiles, houseAdLines, orderFile, orderLines } from './added-files.ts';
import { copiedProgram } from './copied-program.ts';

const program = copiedProgram();
for (const { path, text } of [orderFile, ...houseAdFiles]) program.addFile(path, text);
for (const line of [...orderLines, ...houseAdLines]) program.addLine(line);

let spawned: SpawnedServer;
let room: ExchangeRoom;
let document: ApiDocument;

const stop = async () => {
  spawned.process.kill('SIGTERM');
  await spawned.ended;
};

before(async () => {
  const server = await program.serve();
  spawned = server;
  const { url, token } = server;
  room = await furnish({ url, token, mail: '', password: '', databaseUrl: '', close: stop });
  document = (await (await fetch(`${url}/api/openapi.json`)).json()) as ApiDocument;
});
after(stop);

/** An operation of an added entity, answered by the object. */
async function posted(path: string, wrapper: string, values: Values): Promise<Stored> {
  return (await room.call(path, { [wrapper]: values }))[wrapper] as Stored;
}

const members = (schema: string) => Object.keys(document.components.schemas[schema]?.properties ?? {});
const operations = ['add', 'update', 'activate', 'deactivate', 'get', 'connected'];

test('with the added files and lines all types are right', async () => {
  const { code, output } = await program.checkTypes();
  assert.equal(code, 0, output);
});

describe('an entity: its file, and its line in the registry', () => {
  test('it is in the OpenAPI document', () => {
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/api/order/'));
    assert.deepEqual(
      paths,
      operations.map((operation) => `/api/order/${operation}`),
    );
    assert.deepEqual(members('Order').slice(2, 6), ['PublisherId', 'PublisherName', 'Name', 'VastTags']);
  });

  test('it is added, changed and fetched, with its owner and connections', async () => {
    const { Id: tagId } = await room.add('ortb/vasttag', {});
    const sent = { PublisherId: room.publisher.Id, Name: 'Spring', VastTags: [tagId], Price: 7 };
    const { Id } = await posted('order/add', 'Order', sent);
    await posted('order/update', 'Order', { Id, Price: 7.5 });
    const { PublisherName, VastTags, Price } = await room.call(`order/get?Id=${Id}`);
    assert.deepEqual([PublisherName, VastTags, Price], [room.publisher.Name, [tagId], 7.5]);
    const found = (await room.call(`order/get?PublisherId=${room.publisher.Id}`)) as unknown as Stored[];
    assert.deepEqual(
      found.map((one) => one.Id),
      [Id],
    );
    const rows = (await room.call('history/get?Entity=Order')) as unknown as Values[];
    assert.deepEqual(
      rows.map(({ Operation }) => Operation),
      ['add', 'update'],
    );
  });

  test('it is in an exported configuration', async () => {
    const { Order } = await room.call('config/export');
    assert.deepEqual(
      (Order as Values[]).map(({ Name, Price }) => [Name, Price]),
      [['Spring', 7.5]],
    );
  });
});

describe('a kind of demand: its entity, its folder, and a line in the registry and in the list of kinds', () => {
  const film = {
    FilmUrl: 'https://cdn.example/house.mp4',
    FilmSeconds: 15,
    ClickUrl: 'https://house.example/',
  };
  const cpm = 1000;
  let domains: Stored;
  let shown: Stored;
  let silent: Stored;
  let abroad: Stored;
  let tag: Stored;

  const addAd = (values: Values) =>
    posted('ortb/housead/add', 'HouseAd', { AdvertiserId: room.advertiser.Id, ...film, ...values });
  const explain = async () =>
    (await room.call('exchange/explain', {
      VastTag: { Id: tag.Id },
      Request: { Url: zoneUrl(tag) },
    })) as unknown as { readonly Outcome: string; readonly Candidates: readonly Values[] };

  before(async () => {
    domains = await room.add('domainlist', { Name: 'Blocked', ListText: 'bad.example' });
    const limited = { SpendTotalLimit: cpm / 1000, DomainsBrandsList: [domains.Id] };
    shown = await addAd({ Name: 'Shown', Slogan: 'Come in', Cpm: cpm, ...limited });
    silent = await addAd({ Name: 'Silent', Cpm: cpm });
    abroad = await addAd({ Name: 'Abroad', Slogan: 'Hei', Cpm: cpm, Countries: [{ CC: 'NO' }] });
    tag = await room.add('ortb/vasttag', { HouseAds: [shown.Id, silent.Id, abroad.Id] });
    await room.served();
  });

  test('it is in the OpenAPI document, also as connections of the supply that it serves', () => {
    for (const operation of operations) assert.ok(document.paths[`/api/ortb/housead/${operation}`]);
    const demandOf = (supply: string) =>
      members(supply).filter((name) => /^(Campaigns|Dsp\w+s|HouseAds)$/.test(name));
    assert.deepEqual(demandOf('VastTag'), ['Campaigns', 'DspRtbEps', 'DspVastTags', 'HouseAds']);
    assert.ok(members('RtbEp').includes('HouseAds'));
    assert.ok(!members('BannerEp').includes('HouseAds'));
    const own = members('HouseAd');
    const connected = own.slice(own.indexOf('ClickUrl') + 1, own.indexOf('Qps'));
    assert.deepEqual(connected, ['VastTags', 'RtbEps', 'StatsByDateCsv', 'StatsByDateJson']);
    assert.ok(members('Advertiser').includes('HouseAdsCount'));
    assert.ok(document.paths['/api/ortb/stats/advertiser/house']);
  });

  test('both sides, its lists and its owner show it', async () => {
    const fetched = await room.call(`ortb/housead/get?Id=${shown.Id}`);
    assert.deepEqual([fetched.VastTags, fetched.RtbEps], [[tag.Id], []]);
    assert.deepEqual((await room.call(`domainlist/get?Id=${domains.Id}`)).HouseAds, [shown.Id]);
    assert.equal((await room.call(`advertiser/get?Id=${room.advertiser.Id}`)).HouseAdsCount, 3);
  });

  test('an explanation names the winner, and why the others are refused', async () => {
    const { Outcome, Candidates } = await explain();
    assert.equal(Outcome, 'won');
    assert.deepEqual(
      Candidates.map(({ Entity, Id, Outcome, Rule, Field }) => [Entity, Id, Outcome, Rule, Field]).sort(),
      [
        ['HouseAd', shown.Id, 'won', '', ''],
        ['HouseAd', silent.Id, 'refused', 'invalid_creative', 'Slogan'],
        ['HouseAd', abroad.Id, 'refused', 'country_not_targeted', 'Countries'],
      ],
    );
  });

  test('it wins an auction, which its statistics count, and its limit in all holds over days and a restart', async () => {
    const text = await (await fetch(zoneUrl(tag))).text();
    assert.match(text, /<AdTitle>(<!\[CDATA\[)?Come in/);
    const [pixel = ''] = /http[^\s\]]+\/track\/impression\?t=[\w.:~-]+/.exec(text) ?? [];
    assert.equal((await fetch(pixel)).status, 200);
    const [row = {}] = await reported(
      shown.StatsByDateJson,
      ([first]) => first?.Wins === 1 && first.Bills === 1,
    );
    assert.deepEqual([row.NetImpressions, row.Revenue], [1, cpm / 1000]);
    await stop();
    // What was spent on other days counts, too.
    const database = new DatabaseSync(program.databasePath);
    for (const side of ['supply', 'demand']) database.exec(`update cube_${side}_day set slot = slot - 3`);
    database.close();
    spawned = await program.serve();
    const { pathname, search } = new URL(zoneUrl(tag));
    assert.doesNotMatch(await (await fetch(`${spawned.url}${pathname}${search}`)).text(), /Come in/);
  });
});
