import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { allPurposes, consentString, type Said } from './consent-string.ts';
import { type Stored, type Values, zoneUrl } from './exchange-room.ts';
import { type DspCall, type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { browser, directUrl, feedUrl } from './pop-room.ts';
import { bannerImp, openRtbRoom, popImp, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';

const vendor = 755;
const listVersion = 100;
/** Purpose 2 of vendor 756 rests on legitimate interest. */
const vendorList = {
  gvlSpecificationVersion: 3,
  vendorListVersion: listVersion,
  tcfPolicyVersion: 5,
  vendors: {
    [vendor]: { id: vendor, purposes: allPurposes, legIntPurposes: [], flexiblePurposes: [2], specialFeatures: [1] },
    756: { id: 756, purposes: [1], legIntPurposes: [2], flexiblePurposes: [], specialFeatures: [1] },
    757: { id: 757, purposes: allPurposes, legIntPurposes: [], flexiblePurposes: [], specialFeatures: [], deletedDate: '2026-01-01T00:00:00Z' },
  },
}; // biome-ignore format: a table

/** What partners are to hear; nothing = none is asked. */
type Heard = 'all' | 'nothing' | 'no place' | 'no IDs' | 'neither';

interface Case {
  readonly name: string;
  readonly gdpr?: 0 | 1;
  readonly consent?: string;
  readonly gpp?: string;
  readonly gppSid?: readonly number[];
  readonly usPrivacy?: string;
  readonly heard: Heard;
  /** Of an explanation; nobody is asked because of it. */
  readonly refusal?: readonly [rule: string, wanted: string, met: string];
}

const whole: Said = { purposes: allPurposes, vendors: [vendor], specialFeatures: [1] };
const said = (changes: Said = {}) => consentString({ ...whole, ...changes });
const nothingAllowed = 'CQuPXIAQuPXIAEsABBENAwFgAAAAAAAAAAYgAAAAAAAA.IaAQAQAaAAAA.YAAAAAAAAAAA';
const purpose2 = `purpose 2 (Use limited data to select advertising), vendor ${vendor}`;
/** A GPP string with section 2. */
const inGpp = (text: string) => `DBABMA~${text}`;

const cases: readonly Case[] = [
  { name: 'consent to everything', gdpr: 1, consent: said(), heard: 'all' },
  { name: 'GDPR does not apply', gdpr: 0, consent: nothingAllowed, heard: 'all' },
  { name: 'nobody says that GDPR applies', consent: nothingAllowed, heard: 'all' },
  { name: 'no special feature', gdpr: 1, consent: said({ specialFeatures: [] }), heard: 'no place' },
  { name: 'basic ads only', gdpr: 1, consent: said({ purposes: [2], specialFeatures: [] }), heard: 'no place' },
  { name: 'disclosed', gdpr: 1, consent: said({ disclosed: [vendor] }), heard: 'all' },
  { name: 'not disclosed', gdpr: 1, consent: said({ disclosed: [7] }), heard: 'nothing', refusal: ['consent_missing', purpose2, 'not among the disclosed vendors'] },
  { name: 'nothing allowed', gdpr: 1, consent: nothingAllowed, heard: 'nothing', refusal: ['consent_missing', purpose2, 'not among the disclosed vendors'] },
  { name: 'no bit of the vendor', gdpr: 1, consent: said({ vendors: [7] }), heard: 'nothing', refusal: ['consent_missing', purpose2, 'vendor not permitted'] },
  { name: 'no bit of purpose 2', gdpr: 1, consent: said({ purposes: [1, 3, 4] }), heard: 'nothing', refusal: ['consent_missing', purpose2, 'purpose not permitted'] },
  { name: 'a restriction forbids it', gdpr: 1, consent: said({ restrictions: [[2, 0, vendor]] }), heard: 'nothing', refusal: ['consent_missing', purpose2, 'restricted by the publisher'] },
  { name: 'a restriction of another vendor', gdpr: 1, consent: said({ restrictions: [[2, 0, 7]] }), heard: 'all' },
  { name: 'a restriction demands legitimate interest', gdpr: 1, consent: said({ restrictions: [[2, 2, vendor]] }), heard: 'nothing', refusal: ['consent_missing', purpose2, 'purpose not permitted'] },
  { name: 'legitimate interest, as demanded', gdpr: 1, consent: said({ restrictions: [[2, 2, vendor]], interests: [2], vendorInterests: [vendor] }), heard: 'all' },
  { name: 'no string', gdpr: 1, heard: 'nothing', refusal: ['consent_unreadable', 'readable signals', 'missing or unreadable: consent'] },
  { name: 'a broken string', gdpr: 1, consent: 'CPxx', heard: 'nothing', refusal: ['consent_unreadable', 'readable signals', 'missing or unreadable: consent'] },
  { name: 'a string of TCF 1', gdpr: 1, consent: 'BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA', heard: 'nothing', refusal: ['consent_unreadable', 'readable signals', 'missing or unreadable: consent'] },
  { name: 'consent in GPP', gpp: inGpp(said()), gppSid: [2], heard: 'all' },
  { name: 'none in GPP', gpp: inGpp(nothingAllowed), gppSid: [2], heard: 'nothing', refusal: ['consent_missing', purpose2, 'not among the disclosed vendors'] },
  { name: 'a section of GPP that does not apply', gpp: inGpp(nothingAllowed), gppSid: [-1], heard: 'all' },
  { name: 'GPP that opts out', gpp: 'DBABLA~CAARAAAAAABA.YA', gppSid: [7], heard: 'neither' },
  { name: 'GPP that cannot be read', gpp: 'x', gppSid: [7], heard: 'neither' },
  { name: 'GPP of consent that cannot be read', gpp: 'x', gppSid: [2], heard: 'nothing', refusal: ['consent_unreadable', 'readable signals', 'missing or unreadable: gpp'] },
  { name: 'an opt-out from sale', usPrivacy: '1YYN', heard: 'neither' },
  { name: 'no opt-out from sale', usPrivacy: '1YNN', heard: 'all' },
  { name: 'us_privacy that cannot be read', usPrivacy: 'maybe', heard: 'neither' },
  { name: 'consent, and an opt-out from sale', gdpr: 1, consent: said(), usPrivacy: '1YYN', heard: 'neither' },
]; // biome-ignore format: a table

let folder = '';
let room: RtbRoom;
let dsp: MockDsp;
let rtbEp: Stored;
let tag: Stored;
let banner: Stored;
let feed: Stored;

const paths = ['/rtb', '/vast', '/pop'];

/** Objects of demand of each kind, of a vendor. */
async function demandOf(gvlId: number) {
  const macros = 'ip={ip}&lat={lat}&lon={lon}';
  const values = { GvlId: gvlId };
  const rtb = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rtb`, ...values });
  const vastUrl = `${dsp.url}/vast?${macros}`;
  const vast = await room.add('ortb/dspvasttag', { ZoneUrlUsEast: vastUrl, FixedCpm: 1, ...values });
  const popUrl = `${dsp.url}/pop?ip={ip}&uid={uid}`;
  const pop = await room.add('xml/dsppopfeed', { FeedUrlUsEast: popUrl, DirectUrl: '', ...values });
  return { DspRtbEps: [rtb.Id], DspVastTags: [vast.Id], DspPopFeeds: [pop.Id] };
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-consent-'));
  const gvlFile = join(folder, 'vendor-list.json');
  writeFileSync(gvlFile, JSON.stringify(vendorList));
  room = await openRtbRoom(undefined, { gvlFile, trustedProxies: 1 });
  dsp = await startMockDsp();
  dsp.answer('/rtb', ({ body }) => {
    const { id, imp } = JSON.parse(body) as { id: string; imp: readonly Values[] };
    const adm = imp[0]?.banner ? '<p>x</p>' : vastAd();
    const bid = { id: 'b', impid: '1', price: 5, adm: imp[0]?.instl ? 'https://brand.example/' : adm };
    return { body: JSON.stringify({ id, seatbid: [{ bid: [{ ...bid, adomain: ['brand.example'] }] }] }) };
  });
  dsp.answer('/vast', () => ({ body: vastAd() }));
  dsp.answer('/pop', () => ({ body: '{"result":[{"bid":"0.004","url":"https://brand.example/"}]}' }));
  const all = await demandOf(vendor);
  const { DspRtbEps, DspVastTags, DspPopFeeds } = all;
  rtbEp = await room.endpoint(all);
  tag = await room.add('ortb/vasttag', { Tmax: 2000, DspRtbEps, DspVastTags });
  banner = await room.add('bannerep', { Tmax: 2000, DspRtbEps });
  feed = await room.add('xml/popfeed', { Tmax: 2000, DspRtbEps, DspPopFeeds });
  await room.served();
  // The list is read with the first string that needs it.
  await doors[0]?.ask({ name: '', gdpr: 1, consent: said(), heard: 'all' });
  await eventually(async () => assert.ok(await hasList()), 'the vendor list is read');
});
after(async () => {
  await dsp.close();
  await room.close();
  rmSync(folder, { recursive: true });
});

async function hasList(): Promise<boolean> {
  const text = await (await fetch(`${room.server.url}/metrics`)).text();
  return text.includes(`bourse_vendor_list_version ${listVersion}`);
}

const place = { lat: 52.52437, lon: -13.41053 };
const device = { ua: 'Mozilla/5.0', ip: '203.0.113.77', ifa: 'secret-ifa', geo: place };
const eids = [{ source: 'id.example', uids: [{ id: 'secret-eid' }] }];

function requestFor({ gdpr, consent, gpp, gppSid, usPrivacy }: Case, imp: object): Values {
  const regs = { gdpr, gpp, gpp_sid: gppSid, us_privacy: usPrivacy };
  return requestOf([imp], { device, regs, user: { id: 'secret-user', eids, yob: 1987, consent } });
}

function queryOf({ gdpr, consent, gpp, gppSid, usPrivacy }: Case): string {
  const values = { gdpr, gdpr_consent: consent, gpp, gpp_sid: gppSid?.join(), us_privacy: usPrivacy };
  const named = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
  );
  return named.join('');
}

const player = { ip: '203.0.113.77', ifa: 'secret-ifa', ua: 'Mozilla/5.0' };
const visitor = {
  user_ip: '203.0.113.77',
  uid: 'secret-user',
  ua: 'Mozilla/5.0',
  url: 'https://news.example/',
};

const visiting = { 'x-forwarded-for': '203.0.113.77', 'user-agent': browser };

interface Door {
  readonly name: string;
  readonly ask: (one: Case) => Promise<unknown>;
  /** Whether partners of this door hear of places at all. */
  readonly hasPlace: boolean;
}

const doors: readonly Door[] = [
  { name: '/rtb, video', ask: (one) => post(zoneUrl(rtbEp), requestFor(one, videoImp)), hasPlace: true },
  { name: '/rtb, banner', ask: (one) => post(zoneUrl(rtbEp), requestFor(one, bannerImp)), hasPlace: true },
  { name: '/rtb, pop', ask: (one) => post(zoneUrl(rtbEp), requestFor(one, popImp)), hasPlace: true },
  { name: '/vast', ask: (one) => fetch(`${zoneUrl(tag, player)}${queryOf(one)}`), hasPlace: false },
  { name: '/banner', ask: (one) => fetch(`${zoneUrl(banner, player)}${queryOf(one)}`), hasPlace: false },
  { name: '/pop', ask: (one) => fetch(`${feedUrl(feed, visitor)}${queryOf(one)}`), hasPlace: false },
  { name: '/direct', ask: (one) => fetch(`${directUrl(feed)}&uid=secret-user${queryOf(one)}`, { redirect: 'manual', headers: visiting }), hasPlace: false },
]; // biome-ignore format: a table

const allCalls = (): readonly DspCall[] => paths.flatMap((path) => dsp.calls(path));

/** All that partners are told while something is asked. */
async function toldBy(ask: () => Promise<unknown>): Promise<string> {
  const before = new Set(allCalls());
  await ask();
  const calls = allCalls().filter((call) => !before.has(call));
  return calls
    .map(({ url, headers, body }) => `${decodeURIComponent(url)} ${JSON.stringify(headers)} ${body}`)
    .join('\n');
}

function judge(told: string, heard: Heard, { hasPlace }: Door): void {
  if (heard === 'nothing') {
    assert.equal(told, '');
    return;
  }
  const hides = (secrets: readonly string[]) => {
    for (const secret of secrets) assert.ok(!told.includes(secret), `${secret} in ${told}`);
  };
  const tells = (values: readonly string[]) => {
    for (const value of values) assert.ok(told.includes(value), `no ${value} in ${told}`);
  };
  const isPlaceHidden = heard === 'no place' || heard === 'neither';
  if (isPlaceHidden) hides(['203.0.113.77', '52.52437', '13.41053']);
  tells(isPlaceHidden ? ['203.0.113.0'] : ['203.0.113.77', ...(hasPlace ? ['52.52437'] : [])]);
  if (heard === 'no IDs' || heard === 'neither') hides(['secret', '"yob"']);
  else tells(['secret']);
}

for (const door of doors) {
  describe(`partners of ${door.name} hear what the viewer permits`, () => {
    for (const one of cases) {
      test(one.name, async () => judge(await toldBy(() => door.ask(one)), one.heard, door));
    }
  });
}

describe('an explanation names what is missing', () => {
  for (const one of cases) {
    if (one.refusal === undefined) continue;
    test(one.name, async () => {
      const [Rule, Wanted, Met] = one.refusal ?? [];
      const Request = { OpenRtb: requestFor(one, videoImp) };
      const { Candidates } = await room.call('exchange/explain', { RtbEp: { Id: rtbEp.Id }, Request });
      const candidate = (Candidates as readonly Values[]).find(({ Entity }) => Entity === 'DspRtbEp');
      assert.partialDeepStrictEqual(candidate, { Rule, Wanted, Met });
      const withheld = candidate?.Withheld as readonly Values[];
      assert.ok(
        withheld.some(({ Activities }) => (Activities as readonly string[]).includes('bid')),
        JSON.stringify(withheld),
      );
    });
  }
});

describe('settings', () => {
  /** What a bidder is told of a request at an endpoint of its own. */
  interface Set {
    readonly name: string;
    readonly gvlId?: number;
    readonly supply?: Values;
    readonly team?: Values;
    readonly country?: string;
    readonly one: Omit<Case, 'name' | 'heard'>;
    readonly heard: Heard;
  }
  const none = { gdpr: 1, consent: nothingAllowed } as const;
  const purposesAlone = consentString({ purposes: allPurposes, specialFeatures: [1] });
  const noString = { gdpr: 1 } as const;
  const rows: readonly Set[] = [
    { name: 'a partner without an ID has no basis', gvlId: 0, one: { gdpr: 1, consent: said() }, heard: 'nothing' },
    { name: 'an ID that is no longer on the list', gvlId: 757, one: { gdpr: 1, consent: said({ vendors: [757] }) }, heard: 'nothing' },
    { name: 'an ID that is not on the list', gvlId: 9, one: { gdpr: 1, consent: said({ vendors: [9] }) }, heard: 'nothing' },
    { name: 'legitimate interest that the list declares', gvlId: 756, one: { gdpr: 1, consent: consentString({ interests: [2], vendorInterests: [756], vendors: [756] }) }, heard: 'no place' },
    { name: 'consent in place of a declared legitimate interest', gvlId: 756, one: { gdpr: 1, consent: said({ vendors: [756] }) }, heard: 'nothing' },
    { name: 'a list of another version is not used', gvlId: 756, one: { gdpr: 1, consent: said({ vendors: [756], listVersion: 99 }) }, heard: 'all' },
    { name: 'basic enforcement of purposes', gvlId: 0, team: basic(1), one: { gdpr: 1, consent: purposesAlone }, heard: 'all' },
    { name: 'basic enforcement without the purpose', gvlId: 0, team: basic(1), one: { gdpr: 1, consent: consentString({ purposes: [1] }) }, heard: 'nothing' },
    { name: 'no enforcement of purposes', gvlId: 0, team: basic(2), one: none, heard: 'all' },
    { name: 'IDs by any purpose', one: { gdpr: 1, consent: said({ purposes: [2] }) }, heard: 'all' },
    { name: 'IDs by purpose 4 alone', team: { UserIdsNeedPurpose4: 1 }, one: { gdpr: 1, consent: said({ purposes: [2, 3] }) }, heard: 'no IDs' },
    { name: 'passed on', supply: { ConsentMode: 1 }, one: none, heard: 'all' },
    { name: 'passed on, with an opt-out', supply: { ConsentMode: 1 }, one: { ...none, usPrivacy: '1YYN' }, heard: 'neither' },
    { name: 'requests without a string are refused', supply: { ConsentMode: 2 }, one: noString, heard: 'nothing' },
    { name: 'requests with one are not', supply: { ConsentMode: 2 }, one: { gdpr: 1, consent: said() }, heard: 'all' },
    { name: 'requests that need none are not', supply: { ConsentMode: 2 }, one: {}, heard: 'all' },
    { name: 'a viewer in Germany', team: { GdprDefault: 1 }, country: 'DEU', one: {}, heard: 'nothing' },
    { name: 'a viewer in Germany who consents', team: { GdprDefault: 1 }, country: 'DEU', one: { consent: said() }, heard: 'all' },
    { name: 'a viewer in Germany to whom GDPR does not apply', team: { GdprDefault: 1 }, country: 'DEU', one: { gdpr: 0 }, heard: 'all' },
    { name: 'a viewer in Germany, by default', country: 'DEU', one: {}, heard: 'all' },
    { name: 'a viewer in the United States', team: { GdprDefault: 1 }, country: 'USA', one: {}, heard: 'all' },
    { name: 'a country that the team names', team: { GdprDefault: 1, GdprCountries: [{ CC: 'US' }] }, country: 'USA', one: {}, heard: 'nothing' },
    { name: 'what the exchange is permitted', team: { GvlId: 7 }, one: { gdpr: 1, consent: said({ vendors: [7, vendor] }) }, heard: 'nothing' },
  ]; // biome-ignore format: a table
  const unset = {
    ...basic(0),
    GvlId: 0,
    GdprDefault: 0,
    UserIdsNeedPurpose4: 0,
  };

  for (const { name, gvlId = vendor, supply, team, country, one, heard } of rows) {
    test(name, async () => {
      await room.call('team/update', { Team: { ...unset, ...team } });
      const { Id } = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/rtb`, GvlId: gvlId });
      const ep = await room.endpoint({ DspRtbEps: [Id], ...supply });
      await room.served();
      const request = requestFor({ name, heard, ...one }, videoImp);
      const geo = { ...place, country };
      const [door] = doors;
      assert.ok(door);
      // A team's settings are used within about a second.
      await eventually(async () => {
        const told = await toldBy(() => post(zoneUrl(ep), { ...request, device: { ...device, geo } }));
        judge(told, heard, door);
      }, 'partners hear that');
    });
  }
});

/** Each purpose, in one way. */
function basic(code: number): Values {
  return Object.fromEntries(allPurposes.map((purpose) => [`EnforcePurpose${purpose}`, code]));
}
