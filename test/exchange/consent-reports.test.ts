import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Segment, SegmentEncoder, TCModel } from '@iabtechlabtcf/core';
import { type ConsentState, consentStateNames } from '../../src/reference/consent-states.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp } from './mock-dsp.ts';
import { openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

const vendor = 755;
const allPurposes = Array.from({ length: 10 }, (_, at) => at + 1);

function consentTo(purposes: readonly number[]): string {
  const model = new TCModel();
  model.cmpId = 300;
  model.cmpVersion = 1;
  model.consentLanguage = 'EN';
  model.vendorListVersion = 150;
  model.isServiceSpecific = true;
  model.publisherCountryCode = 'DE';
  model.purposeConsents.set([...purposes]);
  model.vendorConsents.set(vendor);
  model.vendorsDisclosed.set(vendor);
  return [Segment.CORE, Segment.VENDORS_DISCLOSED]
    .map((segment) => SegmentEncoder.encode(model, segment))
    .join('.');
}

interface Visit {
  readonly state: ConsentState;
  readonly gdpr: 0 | 1;
  readonly consent: string;
  /** How many requests to each door, and how many of their ads are shown. */
  readonly requests: number;
  readonly shown: number;
  /** Whether the partner that is a vendor may bid. */
  readonly mayBid: boolean;
}

const visits: readonly Visit[] = [
  { state: 'not_required', gdpr: 0, consent: '', requests: 3, shown: 2, mayBid: true },
  { state: 'given', gdpr: 1, consent: consentTo(allPurposes), requests: 4, shown: 3, mayBid: true },
  { state: 'partial', gdpr: 1, consent: consentTo([1, 2]), requests: 2, shown: 1, mayBid: true },
  { state: 'refused', gdpr: 1, consent: 'CQuPXIAQuPXIAEsABBENAwFgAAAAAAAAAAYgAAAAAAAA.IaAQAQAaAAAA.YAAAAAAAAAAA', requests: 5, shown: 4, mayBid: false },
  { state: 'unreadable', gdpr: 1, consent: 'nonsense', requests: 2, shown: 2, mayBid: false },
]; // biome-ignore format: a table
const [bidCpm, campaignCpm] = [6, 4];

let room: RtbRoom;
let dsp: MockDsp;
let tag: Stored;
let rtbEp: Stored;
let strict: Stored;
let partner: Stored;
let campaign: Stored;

const trackerIn = (text: string) =>
  /https?:\/\/[\w.:]+\/track\/impression\?t=[\w.:~-]+/.exec(text)?.[0] ?? assert.fail(text);

const vastUrl = (of: Stored, { gdpr, consent }: Visit) =>
  `${zoneUrl(of)}&gdpr=${gdpr}&gdpr_consent=${encodeURIComponent(consent)}`;

async function visitTag(visit: Visit, isShown: boolean): Promise<void> {
  const ad = await (await fetch(vastUrl(tag, visit))).text();
  if (isShown) assert.equal((await fetch(trackerIn(ad))).status, 200);
}

async function visitEndpoint({ gdpr, consent }: Visit, isShown: boolean): Promise<void> {
  const signals = { regs: { gdpr }, user: { consent } };
  const { bids } = await post(zoneUrl(rtbEp), requestOf([videoImp], signals));
  const [{ adm, nurl, burl = '' } = assert.fail()] = bids;
  if (isShown) for (const url of [nurl, burl, trackerIn(adm)]) if (url) await fetch(url);
}

before(async () => {
  room = await openRtbRoom();
  dsp = await startMockDsp();
  dsp.answer('/rtb', (call) => bidResponse(call, { price: bidCpm }));
  partner = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rtb`, GvlId: vendor });
  campaign = await room.campaign({ Cpm: campaignCpm });
  const asked = { DspRtbEps: [partner.Id], Campaigns: [campaign.Id] };
  const ofTag = { ...asked, Tmax: 2000, PublisherProfitShare: 100 };
  tag = await room.add('ortb/vasttag', ofTag);
  rtbEp = await room.endpoint(asked);
  strict = await room.add('ortb/vasttag', { ...ofTag, ConsentMode: 2 });
  await room.served();
  for (const visit of visits) {
    for (let at = 0; at < visit.requests; at += 1) {
      await visitTag(visit, at < visit.shown);
      await visitEndpoint(visit, at < visit.shown);
    }
  }
  const [, given, , , unreadable] = visits;
  for (const visit of [given, given, unreadable, unreadable, unreadable])
    await (await fetch(vastUrl(strict, visit ?? assert.fail()))).text();
  await room.server.flush();
});
after(async () => {
  await dsp.close();
  await room.close();
});

interface Answer {
  readonly Rows: readonly Values[];
  readonly Total: Values;
}

async function ask(question: object): Promise<Answer> {
  const today = new Date().toJSON().slice(0, 10);
  const asked = { From: today, To: today, Total: 1, ...question };
  return (await room.call('statistics/report', asked)) as unknown as Answer;
}

const isIn = (field: string, ...values: readonly string[]) => ({
  Field: field,
  Operator: 'In',
  Values: values,
});
const both = () => isIn('Supply', `VastTag:${tag.Id}`, `RtbEp:${rtbEp.Id}`);

describe('by consent', () => {
  test('requests, impressions and money are told as they came, each event with its auction', async () => {
    const Measures = ['Requests', 'Opportunities', 'Impressions', 'Cost', 'Revenue'];
    const { Rows } = await ask({ GroupBy: ['Consent'], Measures, Filters: [both()] });
    const expected = visits.map(({ state, requests, shown, mayBid }) => ({
      Consent: state,
      Requests: 2 * requests,
      Opportunities: 2 * requests,
      Impressions: 2 * shown,
      Cost: (2 * shown * (mayBid ? bidCpm : campaignCpm)) / 1000,
      Revenue: (2 * shown * (mayBid ? bidCpm : campaignCpm)) / 1000,
    }));
    const inOrder = Rows.toSorted(
      (one, other) =>
        consentStateNames.indexOf(one.Consent as ConsentState) -
        consentStateNames.indexOf(other.Consent as ConsentState),
    );
    assert.deepEqual(inOrder, expected);
  });

  const groups = [['Consent'], ['Consent', 'Supply'], ['Consent', 'Demand'], ['Consent', 'Supply', 'Demand']];
  for (const GroupBy of groups) {
    test(`${GroupBy.join(', ')}: rows add up to what is counted without it`, async () => {
      const ofSupply = GroupBy.includes('Demand') ? [] : ['Requests', 'Opportunities', 'Cost'];
      const Measures = [...ofSupply, 'Bids', 'Wins', 'Impressions', 'Revenue'];
      const { Rows, Total } = await ask({ GroupBy, Measures });
      const { Total: whole } = await ask({ GroupBy: GroupBy.slice(1), Measures });
      const sumOf = (name: string) =>
        Math.round(Rows.reduce((sum, row) => sum + Number(row[name]), 0) * 1e9) / 1e9;
      assert.deepEqual(Object.fromEntries(Measures.map((name) => [name, sumOf(name)])), whole);
      assert.deepEqual(Total, whole);
      assert.ok(Number(whole.Revenue) > 0);
    });
  }

  test('a partner is called for viewers who permit it alone', async () => {
    const { Rows } = await ask({
      GroupBy: ['Consent'],
      Measures: ['Calls'],
      Filters: [both(), isIn('Demand', `DspRtbEp:${partner.Id}`)],
    });
    const calls = new Map(Rows.map(({ Consent, Calls }) => [Consent, Calls]));
    for (const { state, requests, mayBid } of visits)
      assert.equal(calls.get(state) ?? 0, mayBid ? 2 * requests : 0, state);
  });
});

describe('what missing consent costs', () => {
  const refusalsOf = async (supply: string, demand: Stored, kind: string) => {
    const { Rows } = await ask({
      GroupBy: ['Reason'],
      Measures: ['Refusals', 'LostValue'],
      Filters: [
        isIn('Supply', supply),
        isIn('Demand', `${kind}:${demand.Id}`),
        isIn('Reason', 'consent_missing', 'consent_unreadable'),
      ],
    });
    return Object.fromEntries(
      Rows.map(({ Reason, Refusals, LostValue }) => [String(Reason), { Refusals, LostValue }]),
    );
  };
  const worth = (refusals: number, cpm: number) => ({
    Refusals: refusals,
    LostValue: (refusals * cpm) / 1000,
  });

  test('is what the partner bids for viewers who permit it', async () => {
    assert.deepEqual(await refusalsOf(`VastTag:${tag.Id}`, partner, 'DspRtbEp'), {
      consent_missing: worth(5, bidCpm),
      consent_unreadable: worth(2, bidCpm),
    });
    assert.deepEqual(await refusalsOf(`RtbEp:${rtbEp.Id}`, partner, 'DspRtbEp'), {
      consent_missing: worth(5, bidCpm),
      consent_unreadable: worth(2, bidCpm),
    });
  });

  test('of no campaign, which are asked all the same', async () => {
    assert.deepEqual(await refusalsOf(`VastTag:${tag.Id}`, campaign, 'Campaign'), {});
  });

  test('where requests without a readable signal are refused whole, all demand counts it', async () => {
    const of = `VastTag:${strict.Id}`;
    const expected = (cpm: number) => ({ consent_unreadable: worth(3, cpm) });
    assert.deepEqual(await refusalsOf(of, partner, 'DspRtbEp'), expected(bidCpm));
    assert.deepEqual(await refusalsOf(of, campaign, 'Campaign'), expected(campaignCpm));
  });
});
