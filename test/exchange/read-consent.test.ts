import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Explanation } from '../../src/answers/explanation.ts';
import { addUsers } from '../management/users.ts';
import { allPurposes, consentString } from './consent-string.ts';
import { type ExchangeRoom, openExchange, type Stored, type Values, zoneUrl } from './exchange-room.ts';

const lines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
const vendor = 755;
const refused = 'CQuPXIAQuPXIAEsABBENAwFgAAAAAAAAAAYgAAAAAAAA.IaAQAQAaAAAA.YAAAAAAAAAAA';
const given = { purposes: allPurposes, vendors: [vendor], specialFeatures: [1] };
const gpp = 'DBABLA~CAARAAAAAABA.YA';

let room: ExchangeRoom;
let listed: Stored;
let inheriting: Stored;
let tag: Stored;
before(async () => {
  room = await openExchange({}, logger);
  const toDsp = { VideoEnabled: 1, ZoneUrlUsEast: 'http://127.0.0.1:9/bid' };
  await room.call('advertiser/update', { Advertiser: { Id: room.advertiser.Id, GvlId: vendor } });
  listed = await room.add('ortb/dsprtbep', { Name: 'Own ID', ...toDsp, GvlId: 32 });
  inheriting = await room.add('ortb/dspvasttag', {
    Name: 'Advertiser ID',
    ZoneUrlUsEast: 'https://dsp.example/vast',
  });
  await room.add('campaign', {
    Name: 'Own ad',
    Cpm: 1,
    MediaUrl: 'https://cdn.example/a.mp4',
    Mime: 'video/mp4',
    Duration: 15,
    Width: 640,
    Height: 360,
  });
  tag = await room.add('ortb/vasttag', { DspVastTags: [inheriting.Id] });
  await room.served();
});
after(() => room.close());

interface Partner {
  readonly GvlId: number;
  readonly Permitted: readonly string[];
  readonly Withheld: readonly Values[];
  readonly Objects: readonly Values[];
}
interface Reading {
  readonly State: string;
  readonly Signals: readonly (Values & { readonly Tcf?: Values | null })[];
  readonly Partners: readonly Partner[];
}
const read = async (body: Values) => (await room.call('exchange/consent', body)) as unknown as Reading;
const partnerOf = ({ Partners }: Reading, id: number) =>
  Partners.find(({ GvlId }) => GvlId === id) ?? assert.fail(`${id} is missing`);
const reasonsOf = (reading: Reading, id: number) =>
  partnerOf(reading, id).Withheld.map(({ Activities, Wanted, Met }) => [
    (Activities as readonly string[]).join(),
    Wanted,
    Met,
  ]);

const all = ['bid', 'userIds', 'userData', 'address', 'place', 'sync'];
const ofPurpose2 = 'purpose 2 (Use limited data to select advertising), vendor';

test('a string that permits everything to one vendor says so, and what another lacks', async () => {
  const reading = await read({
    Consent: consentString({
      ...given,
      restrictions: [
        [3, 0, vendor],
        [4, 0, vendor],
      ],
    }),
  });
  assert.equal(reading.State, 'given');
  const { Tcf } = reading.Signals[0] ?? assert.fail('no signal');
  assert.ok(Number(Tcf?.CreatedMs) > Date.parse('2026-01-01') && Number(Tcf?.UpdatedMs) <= Date.now());
  assert.deepEqual(reading.Signals, [
    {
      Source: 'Consent',
      Section: 0,
      Name: 'TCF EU',
      Fault: '',
      Tcf: {
        PolicyVersion: 5,
        VendorListVersion: 100,
        IsVendorListKnown: 0,
        CreatedMs: Tcf?.CreatedMs,
        UpdatedMs: Tcf?.UpdatedMs,
        CmpId: 75,
        CmpVersion: 1,
        PublisherCountry: 'DE',
        HasPurposeOneTreatment: 0,
        PurposeConsents: allPurposes,
        PurposeLegitimateInterests: [],
        SpecialFeatures: [1],
        PublisherRestrictions: 2,
        HasDisclosedVendors: 0,
      },
      Choices: null,
    },
  ]);
  assert.deepEqual(
    reading.Partners.map(({ GvlId, Objects }) => [GvlId, Objects]),
    [
      [32, [{ Entity: 'DspRtbEp', Id: listed.Id, Name: 'Own ID' }]],
      [vendor, [{ Entity: 'DspVastTag', Id: inheriting.Id, Name: 'Advertiser ID' }]],
    ],
  );
  assert.deepEqual(partnerOf(reading, vendor).Permitted, all);
  assert.deepEqual(reasonsOf(reading, vendor), []);
  assert.deepEqual(partnerOf(reading, 32).Permitted, ['address', 'place']);
  assert.deepEqual(reasonsOf(reading, 32), [
    ['bid,userIds,userData', `${ofPurpose2} 32`, 'vendor not permitted'],
    ['sync', 'purpose 1 (Store and/or access information on a device), vendor 32', 'vendor not permitted'],
  ]);
});

const section = (Section: number, Name: string, more: Values = {}) => ({
  ...{ Source: 'Gpp', Section, Name, Fault: '', Tcf: null, Choices: null },
  ...more,
});
const ofUsPrivacy = { Source: 'UsPrivacy', Section: 0, Name: 'US Privacy', Fault: '', Tcf: null };
const chosen = (OptOuts: readonly string[], HasGpc = 0) => ({
  Choices: { OptOuts, IsKnownChild: 0, HasGpc },
});

const nothingPermitted = (met: string) =>
  [
    ['bid,userIds,userData', `${ofPurpose2} ${vendor}`, met],
    ['address,place', `special feature 1 (Use precise geolocation data), vendor ${vendor}`, met],
    ['sync', `purpose 1 (Store and/or access information on a device), vendor ${vendor}`, met],
  ] as const;

interface Row {
  readonly name: string;
  readonly body: Values;
  readonly state: string;
  readonly signals?: readonly Values[];
  /** To the vendor. */
  readonly permitted: readonly string[];
  readonly reasons: readonly (readonly [activities: string, wanted: string, met: string])[];
}
const recognition = 'userIds,userData,address,place,sync';
const rows: readonly Row[] = [
  {
    name: 'that opts out by a section of GPP',
    body: { Gpp: gpp, GppSid: [7] },
    state: 'refused',
    signals: [section(7, 'US National', chosen(['sale', 'targeted_advertising'], 1))],
    permitted: ['bid'],
    reasons: [[recognition, 'no opt-out', 'gpp section 7 (sale, targeted advertising, gpc)']],
  },
  {
    name: 'whose sections are not named, with all of them',
    body: { Gpp: `DBABMA~${refused}` },
    state: 'refused',
    permitted: [],
    reasons: nothingPermitted('not among the disclosed vendors'),
  },
  {
    name: 'whose sections are absent and unknown',
    body: { Gpp: gpp, GppSid: [8, 400] },
    state: 'unreadable',
    signals: [section(8, 'California', { Fault: 'absent' }), section(400, '', { Fault: 'unknown' })],
    permitted: ['bid'],
    reasons: [[recognition, 'readable signals', 'missing or unreadable: gpp section 8, gpp section 400']],
  },
  {
    name: 'of GPP that is none',
    body: { Gpp: 'DBxx!', GppSid: [2] },
    state: 'unreadable',
    signals: [section(0, 'GPP', { Fault: 'broken' })],
    permitted: [],
    reasons: [[all.join(), 'readable signals', 'missing or unreadable: gpp']],
  },
  {
    name: 'of GPP that is none, without sections',
    body: { Gpp: 'DBxx!' },
    state: 'unreadable',
    signals: [section(0, 'GPP', { Fault: 'broken' })],
    permitted: ['bid'],
    reasons: [[recognition, 'readable signals', 'missing or unreadable: gpp']],
  },
  {
    name: 'that opts out of sale',
    body: { UsPrivacy: '1YYN' },
    state: 'refused',
    signals: [{ ...ofUsPrivacy, ...chosen(['sale']) }],
    permitted: ['bid'],
    reasons: [[recognition, 'no opt-out', 'us_privacy']],
  },
  {
    name: 'that is no US privacy string',
    body: { UsPrivacy: 'yes' },
    state: 'unreadable',
    signals: [{ ...ofUsPrivacy, Fault: 'broken', Choices: null }],
    permitted: ['bid'],
    reasons: [[recognition, 'readable signals', 'missing or unreadable: us_privacy']],
  },
  {
    name: 'that is cut off',
    body: { Consent: refused.slice(0, 20) },
    state: 'unreadable',
    permitted: [],
    reasons: [[all.join(), 'readable signals', 'missing or unreadable: consent']],
  },
  {
    name: 'that permits nothing',
    body: { Consent: refused },
    state: 'refused',
    permitted: [],
    reasons: nothingPermitted('not among the disclosed vendors'),
  },
];

describe('a string', () => {
  for (const { name, body, state, signals, permitted, reasons } of rows) {
    test(name, async () => {
      const reading = await read(body);
      if (signals) assert.deepEqual(reading.Signals, signals);
      assert.equal(reading.State, state);
      assert.deepEqual(partnerOf(reading, vendor).Permitted, permitted);
      assert.deepEqual(reasonsOf(reading, vendor), reasons);
    });
  }
});

test("the team's settings count, its own vendor ID among them", async (context) => {
  const set = (Team: Values) => room.call('team/update', { Team });
  context.after(async () => {
    await set({ GvlId: 0, EnforcePurpose2: 0 });
    await until((one) => partnerOf(one, vendor).Withheld.length === 0);
  });
  const asked = { Consent: consentString(given) };
  const until = async (isThere: (reading: Reading) => boolean) => {
    const giveUpMs = performance.now() + 10_000;
    for (;;) {
      const reading = await read(asked);
      if (isThere(reading) || performance.now() > giveUpMs) return reading;
    }
  };
  await set({ EnforcePurpose2: 2 });
  const off = await until((one) => partnerOf(one, 32).Permitted.includes('bid'));
  assert.deepEqual(partnerOf(off, 32).Permitted, ['bid', 'userIds', 'userData', 'address', 'place']);
  await set({ GvlId: 900, EnforcePurpose2: 0 });
  const own = await until((one) => partnerOf(one, vendor).Withheld.length > 0);
  assert.deepEqual(reasonsOf(own, vendor)[0], [
    'bid,userIds,userData',
    `${ofPurpose2} 900, this exchange`,
    'vendor not permitted',
  ]);
});

test('an explanation names what is withheld from a partner, in the same words', async () => {
  const url = `${zoneUrl(tag)}&gdpr=1&gdpr_consent=`;
  const explain = async (consent: string) => {
    const body = { VastTag: { Id: tag.Id }, Request: { Url: url + consent } };
    const { Candidates } = (await room.call('exchange/explain', body)) as unknown as Explanation;
    return Candidates[0] ?? assert.fail('no candidate');
  };
  const partial = await explain(consentString({ ...given, purposes: [2], specialFeatures: [] }));
  assert.equal(partial.Outcome, 'asked');
  assert.deepEqual(partial.Withheld, [
    {
      Activities: ['address', 'place'],
      Wanted: `special feature 1 (Use precise geolocation data), vendor ${vendor}`,
      Met: 'no opt-in',
    },
    {
      Activities: ['sync'],
      Wanted: `purpose 1 (Store and/or access information on a device), vendor ${vendor}`,
      Met: 'purpose not permitted',
    },
  ]);
  const { Rule, Wanted, Met } = await explain(refused);
  assert.deepEqual(
    [Rule, Wanted, Met],
    ['consent_missing', `${ofPurpose2} ${vendor}`, 'not among the disclosed vendors'],
  );
  const { Rule: unreadable, Met: what } = await explain('');
  assert.deepEqual([unreadable, what], ['consent_unreadable', 'missing or unreadable: consent']);
});

test('what cannot be asked is refused, and no string is logged', async () => {
  const post = async (body: unknown, token = room.server.token) => {
    const response = await fetch(`${room.server.url}/api/exchange/consent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  for (const [body, fault] of [
    [{}, /the body must have `Consent`, `Gpp` or `UsPrivacy`/],
    [{ GppSid: [7] }, /the body must have/],
    [{ Consent: 'C'.repeat(16_385) }, /Consent .*16384/],
    [{ Gpp: gpp, GppSid: Array.from({ length: 101 }, () => 7) }, /GppSid/],
    [{ Consent: 7 }, /Consent/],
    [{ Tcf: refused }, /Tcf is not a known/],
    [[], /must be an object/],
  ] as const) {
    const { status, text } = await post(body);
    assert.equal(status, 406, text);
    assert.match(text, fault);
  }
  const partner = { kind: 'Publisher', id: room.publisher.Id } as const;
  const [analyst, stranger, owner] = await addUsers(room.server, [
    { role: 2, teamId: 1 },
    { role: 2 },
    { role: 3, teamId: 1, partner },
  ]);
  const asked = { Consent: refused };
  const partnersFor = async (token: string | undefined) => {
    const { status, text } = await post(asked, token);
    assert.equal(status, 200, text);
    return (JSON.parse(text) as Reading).Partners.length;
  };
  assert.equal(await partnersFor(analyst?.token), 2);
  assert.equal(await partnersFor(stranger?.token), 0);
  assert.equal((await post(asked, owner?.token)).status, 403);
  assert.ok(lines.some((line) => line.includes('/api/exchange/consent')));
  assert.ok(!lines.some((line) => line.includes(refused) || line.includes(gpp)));
});
