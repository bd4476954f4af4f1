import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

/** As `writeRates` has them. */
const usdPer = { '': 1, EUR: 1.0857, JPY: 0.00667 } as const;
type Currency = keyof typeof usdPer;
const cpmIn: Readonly<Record<Currency, number>> = { '': 4, EUR: 3.5, JPY: 600 };

/** Ads that are shown, by the currencies of both sides. */
const shown: readonly (readonly [supply: Currency, demand: Currency, ads: number])[] = [
  ['EUR', 'JPY', 3],
  ['EUR', 'EUR', 1],
  ['EUR', '', 2],
  ['', 'JPY', 1],
  ['', '', 2],
];

const nanosPerUsd = 1e9;
/** Of one ad; the publisher has all of it. */
const nanosOf = (demand: Currency) => Math.round(cpmIn[demand] * usdPer[demand] * 1e6);
const localOf = (demand: Currency, shownIn: Currency) => Math.round(nanosOf(demand) / usdPer[shownIn]);
const sumOf = (numbers: readonly number[]) =>
  Number((numbers.reduce((sum, one) => sum + one, 0) / nanosPerUsd).toFixed(9));

let room: RtbRoom;
let folder: string;
const tags = new Map<string, Stored>();

const trackerIn = (text: string) =>
  /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(text)?.[0] ?? assert.fail(text);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-rates-'));
  room = await openRtbRoom(undefined, { ratesFile: writeRates(folder, today()) });
  await ratesRead(room.server.url);
  for (const [supply, demand] of shown) {
    const campaign = await room.campaign({ Currency: demand, Cpm: cpmIn[demand] });
    const values = { Currency: supply, Campaigns: [campaign.Id], PublisherProfitShare: 100 };
    tags.set(`${supply} ${demand}`, await room.add('ortb/vasttag', values));
  }
  await room.served();
  for (const [supply, demand, ads] of shown) {
    const tag = tags.get(`${supply} ${demand}`) ?? assert.fail();
    for (let ad = 0; ad < ads; ad += 1) {
      const text = await (await fetch(zoneUrl(tag))).text();
      assert.equal((await fetch(trackerIn(text))).status, 200);
    }
  }
  await room.server.flush();
});
after(async () => {
  await room.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly Rows: readonly Values[];
  readonly Total: Values;
}

const ask = async (question: object) =>
  (await room.call('statistics/report', { From: today(), To: today(), ...question })) as unknown as Answer;

/** The sums of a measure by the currency of a side, as cases make them. */
function expected(side: 'supply' | 'demand', nanosIn: (demand: Currency, own: Currency) => number) {
  const sums = new Map<string, number[]>();
  for (const [supply, demand, ads] of shown) {
    const own = side === 'supply' ? supply : demand;
    const before = sums.get(own) ?? [];
    sums.set(own, [...before, ...Array<number>(ads).fill(nanosIn(demand, own))]);
  }
  return Object.fromEntries([...sums].map(([own, numbers]) => [own, sumOf(numbers)]));
}

const byCurrency = ({ Rows }: Answer, measure: string) =>
  Object.fromEntries(Rows.flatMap((row) => (row[measure] === 0 ? [] : [[row.Currency, row[measure]]])));

describe('reports by currency', () => {
  const Measures = ['Cost', 'LocalCost', 'Revenue', 'LocalRevenue'];
  for (const GroupBy of [['Currency'], ['Day', 'Currency'], ['Hour', 'Currency']]) {
    test(`${GroupBy.join(', ')}: amounts in the currency of each side, beside USD`, async () => {
      const answer = await ask({ GroupBy, Measures, Total: 1 });
      assert.deepEqual(byCurrency(answer, 'Cost'), expected('supply', nanosOf));
      assert.deepEqual(byCurrency(answer, 'LocalCost'), expected('supply', localOf));
      assert.deepEqual(byCurrency(answer, 'Revenue'), expected('demand', nanosOf));
      assert.deepEqual(byCurrency(answer, 'LocalRevenue'), expected('demand', localOf));
      const { Cost, Revenue, LocalCost, LocalRevenue } = answer.Total;
      const { Total } = await ask({ Measures: ['Cost', 'Revenue'], Total: 1 });
      assert.deepEqual({ Cost, Revenue }, Total);
      assert.deepEqual([LocalCost, LocalRevenue], [null, null]);
    });
  }

  test('what a tag has earned is in its own currency', async () => {
    const tag = tags.get('EUR JPY') ?? assert.fail();
    const Filters = [{ Field: 'Supply', Operator: 'In', Values: [`VastTag:${tag.Id}`] }];
    const { Rows } = await ask({ GroupBy: ['Currency'], Measures: ['Cost', 'LocalCost'], Filters });
    const LocalCost = sumOf(Array<number>(3).fill(localOf('JPY', 'EUR')));
    assert.deepEqual(Rows, [
      { Currency: 'EUR', Cost: sumOf(Array<number>(3).fill(nanosOf('JPY'))), LocalCost },
    ]);
  });

  test('of one currency there are sums', async () => {
    const Filters = [{ Field: 'Currency', Operator: 'In', Values: ['JPY'] }];
    const { Rows, Total } = await ask({ GroupBy: ['Day'], Measures: ['LocalRevenue'], Filters, Total: 1 });
    assert.deepEqual(
      Rows.map(({ LocalRevenue }) => LocalRevenue),
      [2.4],
    );
    assert.deepEqual(Total, { LocalRevenue: 2.4 });
  });

  test('amounts of different currencies are not added', async () => {
    const question = { From: today(), To: today(), GroupBy: ['Supply'], Measures: ['Cost', 'LocalCost'] };
    const { body } = await post(`${room.server.url}/api/statistics/report`, question, {
      authorization: `Bearer ${room.server.token}`,
    });
    const { Errors } = body as Values;
    assert.deepEqual(Errors, [
      {
        Path: 'Measures',
        Code: 'out_of_range',
        Message:
          'LocalCost has amounts of each Currency, which cannot be added; group by Currency, or filter by one',
        Remedies: [{ GroupBy: ['Supply', 'Currency'] }, { LeaveOut: ['LocalCost'] }],
      },
    ]);
  });
});

test('an offer billed by its notice counts at the rate of its auction, and at its own price', async () => {
  const campaign = await room.campaign({ Currency: 'JPY', Cpm: cpmIn.JPY });
  const endpoint = await room.endpoint({ Currency: 'EUR', Campaigns: [campaign.Id] });
  await room.served();
  const { bids } = await post(zoneUrl(endpoint), requestOf([videoImp], { cur: ['EUR'] }));
  const [{ adm, nurl, burl = '' } = assert.fail()] = bids;
  for (const url of [nurl, burl, trackerIn(adm)]) if (url !== '') await fetch(url);
  await room.server.flush();
  const Filters = [{ Field: 'Supply', Operator: 'In', Values: [`RtbEp:${endpoint.Id}`] }];
  const { Rows } = await ask({ GroupBy: ['Currency'], Measures: ['LocalCost', 'LocalRevenue'], Filters });
  assert.deepEqual(Object.fromEntries(Rows.map(({ Currency, ...figures }) => [Currency, figures])), {
    EUR: { LocalCost: localOf('JPY', 'EUR') / nanosPerUsd, LocalRevenue: 0 },
    JPY: { LocalCost: 0, LocalRevenue: 0.6 },
  });
});
