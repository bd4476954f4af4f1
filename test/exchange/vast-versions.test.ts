import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { schemaFaults, type schemaVersions } from '../protocols/vast/content-models.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { vastAd } from './mock-dsp.ts';
import { type AnsweredBid, audioImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

type Version = (typeof schemaVersions)[number];

const linear = (file = 'https://dsp.example/a.mp4') => `<Linear><TrackingEvents>
  <Tracking event="playerExpand">https://dsp.example/expand</Tracking></TrackingEvents><Duration>00:00:15</Duration>
  <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360" fileSize="9">${file}</MediaFile>
  <Mezzanine delivery="progressive" type="video/mp4" width="1" height="1">https://dsp.example/m.mp4</Mezzanine>
  </MediaFiles></Linear>`;
/** A document as a DSP of today writes it. */
const newest = (creative = linear(), attributes = '') => `<VAST version="4.2" xmlns="http://www.iab.com/VAST">
  <Ad id="7" adType="video"${attributes}><InLine><AdSystem>d</AdSystem><Error>https://dsp.example/e</Error>
  <Impression>https://dsp.example/imp?p=\${AUCTION_PRICE}</Impression><AdServingId>s</AdServingId><AdTitle>t</AdTitle>
  <AdVerifications><Verification vendor="v.example"/></AdVerifications>
  <Creatives><Creative id="c">${creative}<UniversalAdId idRegistry="ad-id.org">ABCD</UniversalAdId></Creative></Creatives>
  </InLine></Ad></VAST>`;
const older = vastAd({ inline: '<Error>https://dsp.example/e</Error>' });
const wrapper = `<VAST version="4.2" xmlns="http://www.iab.com/VAST"><Ad id="1"><Wrapper><AdSystem>d</AdSystem>
  <Impression>https://dsp.example/imp</Impression><VASTAdTagURI>https://dsp.example/v</VASTAdTagURI></Wrapper></Ad></VAST>`;

/** Whether a document of ours is valid in the version, but for the names of VAST's own macros in URLs. */
function assertValid(text: string, version: Version): void {
  assert.match(text, new RegExp(`<VAST [^>]*version="${version}"`));
  assert.deepEqual(schemaFaults(text, version), []);
}

let room: VastRoom;
let rtb: RtbRoom;
let rtbDsp: Bidder;
let bid: Values = {};

before(async () => {
  room = await openVastRoom();
  rtb = await openRtbRoom();
  rtbDsp = await startBidder(() => bid);
});
after(() => Promise.all([room.close(), rtb.close(), rtbDsp.close()]));

describe('the protocols of a bid request', () => {
  interface Case {
    readonly name: string;
    readonly protocols?: readonly number[];
    readonly adm?: string;
    readonly isTest?: true;
    /** Version of the answer; undefined: no bid. */
    readonly version?: Version;
    /** `protocol` of the answer, where the bidder says 13. */
    readonly protocol?: number;
  }
  const cases: readonly Case[] = [
    { name: 'absent', version: '4.2', protocol: 13 },
    { name: 'none listed', protocols: [], version: '4.2', protocol: 13 },
    { name: 'its own', protocols: [2, 13], version: '4.2', protocol: 13 },
    { name: 'older ones', protocols: [2, 3], version: '3.0', protocol: 3 },
    { name: 'the oldest', protocols: [2], version: '2.0', protocol: 2 },
    { name: 'a test', protocols: [2, 3], isTest: true, version: '3.0', protocol: 3 },
    { name: 'newer ones alone', protocols: [13], adm: older, version: '4.2' },
    { name: 'VAST 1', protocols: [1] },
    { name: 'a wrapper, served down', protocols: [3, 6], adm: wrapper, version: '3.0', protocol: 6 },
    { name: 'a wrapper for a player that follows none', protocols: [2, 3, 7, 13], adm: wrapper },
    { name: 'an ad without creatives', adm: newest('') },
  ];
  for (const { name, protocols, adm = newest(), isTest, version, protocol } of cases) {
    test(name, async () => {
      bid = { adm, protocol: 13 };
      const { Id } = await rtb.dsp({ ZoneUrlUsEast: `${rtbDsp.url}/bid` });
      const endpoint = await rtb.endpoint({ DspRtbEps: [Id] });
      await rtb.served();
      const imp = { video: { mimes: ['video/mp4'], ...(protocols && { protocols }) } };
      const { bids } = await post(zoneUrl(endpoint), requestOf([imp], isTest && { test: 1 }));
      assert.equal(bids.length, version === undefined ? 0 : 1);
      if (version === undefined) return;
      const [{ adm: answered, protocol: told }] = bids as readonly [AnsweredBid];
      assertValid(answered, version);
      assert.doesNotMatch(answered, /AUCTION_PRICE/);
      if (protocol !== undefined) assert.equal(told, protocol);
    });
  }
  const own: readonly [protocols: readonly number[], version: Version][] = [[[3], '3.0'], [[2], '2.0'], [[7], '4.0'], [[11, 13], '4.1']]; // biome-ignore format: a table
  for (const [protocols, version] of own) {
    test(`a campaign for ${protocols.join()}`, async () => {
      const { Id } = await rtb.campaign();
      const endpoint = await rtb.endpoint({ Campaigns: [Id] });
      await rtb.served();
      const { bids } = await post(
        zoneUrl(endpoint),
        requestOf([{ video: { mimes: ['video/mp4'], protocols } }]),
      );
      assertValid(bids[0]?.adm ?? '', version);
    });
  }
  test('DAAST is passed on only to who takes it', async () => {
    bid = { adm: '<DAAST version="1.0"></DAAST>' };
    const { Id } = await rtb.dsp({ ZoneUrlUsEast: `${rtbDsp.url}/bid` });
    const endpoint = await rtb.endpoint({ DspRtbEps: [Id] });
    await rtb.served();
    const told = async (protocols: number[]) =>
      (await post(zoneUrl(endpoint), requestOf([{ audio: { ...audioImp.audio, protocols } }]))).bids.length;
    assert.deepEqual([await told([9]), await told([2, 3])], [1, 0]);
  });
});

test('a Version that is sent is held, shown and exported; one that is omitted is not', async () => {
  const telling3 = async (values: Values) => {
    const tag = await room.add('ortb/vasttag', { ...values });
    const exported = (await room.call('config/export')) as unknown as { VastTag: readonly Values[] };
    return [tag.Version, exported.VastTag.at(-1)?.Version];
  };
  assert.deepEqual(await telling3({ Name: 'any' }), [0, undefined]);
  assert.deepEqual(await telling3({ Name: 'three', Version: 0 }), [0, 0]);
  assert.deepEqual(await telling3({ Name: 'four', Version: 1 }), [1, 1]);
});
