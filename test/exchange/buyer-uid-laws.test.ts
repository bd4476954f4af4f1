import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Auction, AuctionServices } from '../../src/exchange/auction/auction.ts';
import { newCandidate } from '../../src/exchange/auction/auction.ts';
import { permit } from '../../src/exchange/auction/permit.ts';
import { newAuction } from '../../src/exchange/auction/run-auction.ts';
import { solicit } from '../../src/exchange/auction/solicit.ts';
import { noPrivacy } from '../../src/exchange/consent/privacy-signals.ts';
import { createConsentReader } from '../../src/exchange/consent/viewer-consent.ts';
import type { OutboundRequest } from '../../src/exchange/demand/demand-kind.ts';
import { kinds } from '../../src/exchange/demand/kinds.ts';
import { refuse } from '../../src/exchange/reasons.ts';
import type { Demand } from '../../src/exchange/snapshot/demand.ts';
import { partnerOf } from '../../src/exchange/snapshot/partner.ts';
import { createMatchSealer } from '../../src/exchange/trackers/sealed-matches.ts';
import { createTokenSealer } from '../../src/exchange/trackers/token-sealer.ts';
import { viewerIdsOf } from '../../src/exchange/viewer-ids.ts';
import { type Matches, noMatches, optOutCookies, ownEntry } from '../../src/exchange/viewer-matches.ts';
import { seeded } from '../support/seed.ts';
import { cookieWith } from './match-cookie.ts';
import {
  account,
  opportunityWith,
  unrestrictedDemand,
  unrestrictedSupply,
  unsetTeam,
} from './unrestricted.ts';

const nowMs = Date.UTC(2027, 5, 15, 12);
const keyring = () => [{ id: 0, fromMs: 0, secret: Buffer.alloc(32, 7) }];
const sealer = createMatchSealer(createTokenSealer(keyring));

const advertisers = [1, 2, 3];
const syncUrls = [
  '',
  'https://a.example/sync?to={redirect_url}$UID',
  'https://b.example/sync?to={redirect_url}$UID',
];
const called = ['DspRtbEp', 'DspVastTag', 'DspPopFeed'] as const;
const url = 'https://dsp.example/ask?of={buyeruid}&ip={ip}&cb={cb}';

const drawnDemand = fc.record({
  kind: fc.constantFrom(...called),
  advertiser: fc.constantFrom(...advertisers),
  SyncType: fc.constantFrom(0, 1, 2),
  SyncUrl: fc.constantFrom(...syncUrls),
  Gzip: fc.constantFrom(0, 1),
  CustomParams: fc.constantFrom({}, { 'user.keywords': 'word' }, { 'ext.x': '1' }),
});

type DrawnDemand = typeof drawnDemand extends fc.Arbitrary<infer T> ? T : never;

const demandOf = ({ kind, advertiser, ...drawn }: DrawnDemand, at: number): Demand => {
  const settings = { ...drawn, ZoneUrlUsEast: url, FeedUrlUsEast: url };
  const owner = { ...account, id: advertiser };
  const demand = unrestrictedDemand(kind, { id: at + 1, account: owner, settings });
  return { ...demand, partner: partnerOf(demand.settings, owner) };
};

/** Those of each partner, and of one that no demand is of. */
const idOf = (from: string, partner: string) => `~${from}-${partner}~`;
const partners = advertisers.flatMap((id) =>
  syncUrls
    .slice(1)
    .map((SyncUrl) =>
      partnerOf({ ...unrestrictedDemand('DspRtbEp').settings, SyncType: 1, SyncUrl }, { id }),
    ),
);
/** What a partner calls the viewer, and what it was told. */
const entries = partners.flatMap((partner) => [partner, ownEntry(partner)]);
const matchesFrom = (from: string, known: readonly string[]): Matches =>
  known.reduce((matches, entry) => matches.with(entry, idOf(from, entry), nowMs), noMatches);

const someone = { ua: 'Browser', ip: '203.0.113.7' };
const drawnCase = fc.record({
  demands: fc.array(drawnDemand, { minLength: 1, maxLength: 8 }),
  inCookie: fc.subarray(entries),
  inToken: fc.subarray(entries),
  said: fc.constantFrom('nothing', 'token', 'text'),
  BuyerUidOf: fc.nat(8),
  hasOptedOut: fc.boolean(),
  hasUser: fc.boolean(),
  media: fc.constantFrom('video', 'banner', 'pop'),
  coppa: fc.constantFrom(undefined, 0, 1),
  gdpr: fc.constantFrom(undefined, 1),
});

const textOf = ({ url: asked, headers, secretHeaders, body = '' }: OutboundRequest) => {
  const bytes = Buffer.from(body);
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return `${decodeURIComponent(asked)} ${JSON.stringify({ ...headers, ...secretHeaders })} ${plain}`;
};

/** By the ID of the demand object. */
async function toldIn(auction: Auction): Promise<ReadonlyMap<number, string>> {
  const told = new Map<number, string>();
  const outbound: AuctionServices['outbound'] = {
    ...auction.services.outbound,
    async call(partner, request) {
      told.set(Number(partner.split(':')[1]), textOf(request));
      return refuse('timed_out');
    },
  };
  const heard: Auction = { ...auction, services: { ...auction.services, outbound } };
  await permit(heard);
  await solicit(heard);
  return told;
}

const services = {
  kinds,
  region: 'us-east',
  baseUrl: () => 'https://us-east.example.com',
  teamOf: () => unsetTeam,
  consent: createConsentReader({ of: () => undefined }),
  now: () => nowMs,
  random: () => 0,
  limits: { takeRequest: () => undefined },
} as unknown as AuctionServices;

test('each partner is told its own ID of the viewer, and nobody is told another one', async () => {
  await fc.assert(
    fc.asyncProperty(drawnCase, async (drawn) => {
      const demands: readonly Demand[] = drawn.demands.map(demandOf);
      const { BuyerUidOf: demandId, said, inCookie, inToken } = drawn;
      const token = sealer.seal(matchesFrom('token', inToken), nowMs);
      const text = { nothing: '', token, text: idOf('upstream', 'x') }[said];
      const match = cookieWith(matchesFrom('cookie', inCookie));
      const [out = ''] = (optOutCookies(true)[0] ?? '').split(';');
      const cookie = drawn.hasOptedOut ? `${match}; ${out}` : match;
      const user = { ...(drawn.hasUser && { id: 'user-1' }), ...(text !== '' && { buyeruid: text }) };
      const { coppa, gdpr, media } = drawn;
      const opportunity = opportunityWith({
        timeMs: nowMs,
        media,
        privacy: { ...noPrivacy, coppa, gdpr },
        original: { request: { user, device: someone, regs: { coppa } as object }, imp: {} },
        viewerIdsOf: viewerIdsOf(cookie, nowMs, { text, demandId, sealer }),
      });
      const auction = newAuction(unrestrictedSupply('RtbEp'), opportunity, services);
      auction.candidates = demands.map((demand) => newCandidate(demand));
      const told = await toldIn(auction);
      const isSilent = drawn.hasOptedOut || coppa === 1 || gdpr === 1;
      for (const { id, kind, partner } of demands) {
        const heard = told.get(id);
        if (gdpr === 1) assert.equal(heard, undefined, 'nobody may bid');
        if (heard === undefined) continue;
        const [knownAs, toldAs] = [partner, ownEntry(partner)].map(
          (entry) =>
            [...(said === 'token' ? [['token', inToken] as const] : []), ['cookie', inCookie] as const]
              .filter(([, known]) => partner !== '' && known.includes(entry))
              .map(([from]) => idOf(from, entry))[0],
        );
        const isFor = said === 'text' && kind === 'DspRtbEp' && id === demandId;
        // Of the caller's user it is told the caller's ID; a tag is told none of ours.
        const ours = kind === 'DspRtbEp' && !drawn.hasUser ? toldAs : undefined;
        const wanted = isSilent ? [] : [ours, isFor ? text : knownAs].filter((one) => one !== undefined);
        assert.deepEqual(heard.match(/~[\w-]+~/g) ?? [], wanted, heard);
        assert.ok(token === '' || !heard.includes(token), 'nobody is told the token');
        const { isMatched } = auction.candidates.find((one) => one.demand.id === id) ?? assert.fail();
        assert.equal(isMatched, !isSilent && (isFor || (toldAs ?? knownAs) !== undefined));
      }
    }),
    seeded(200),
  );
});
