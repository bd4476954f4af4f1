import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AuctionServices } from '../../src/exchange/auction/auction.ts';
import { newAuction, runAuction } from '../../src/exchange/auction/run-auction.ts';
import { select, targetingRefusal } from '../../src/exchange/auction/select.ts';
import { createConsentReader } from '../../src/exchange/consent/viewer-consent.ts';
import { kinds } from '../../src/exchange/demand/kinds.ts';
import type { Outbound } from '../../src/exchange/demand/outbound.ts';
import { createLimits, limitsMemory } from '../../src/exchange/limits/create-limits.ts';
import { withMedia } from '../../src/exchange/media-variants.ts';
import type { Media, MediumVariant, Opportunity, Size } from '../../src/exchange/opportunity.ts';
import { refuse } from '../../src/exchange/reasons.ts';
import type { Demand } from '../../src/exchange/snapshot/demand.ts';
import type { Supply } from '../../src/exchange/snapshot/supply.ts';
import { createCandidateIndex } from '../../src/exchange/targeting/index/candidate-index.ts';
import { seeded } from '../support/seed.ts';
import { smallSize } from './limits/limited.ts';
import { vastAd } from './mock-dsp.ts';
import { exchange, objectOf, opportunity, samples } from './targeting/arbitrary-exchange.ts';
import { demandOf, listsWith, objectWith, readingOf } from './targeting/samples.ts';
import { unrestrictedSupply, unsetTeam } from './unrestricted.ts';

const lists = await listsWith(samples);

const standard = ['video', 'banner', 'native'] as const;
const sizes: readonly Size[] = [
  { width: 640, height: 360 },
  { width: 300, height: 250 },
  { width: 0, height: 0 },
];

const variantOf = (media: Media, size: Size, members: Partial<MediumVariant> = {}): MediumVariant => ({
  media,
  ...size,
  sizes: undefined,
  video: undefined,
  lengthFloors: undefined,
  blocks: undefined,
  ...members,
});

function ofMedia(met: Opportunity, variants: readonly MediumVariant[]): Opportunity {
  const { sizes: _, ...rest } = met;
  return { ...rest, ...variants[0], variants: variants.length > 1 ? variants : undefined };
}

const severalMedia = fc
  .tuple(
    opportunity,
    fc.subarray([...standard], { minLength: 2 }),
    fc.array(fc.constantFrom(...sizes), { minLength: 3 }),
  )
  .map(([met, media, drawnSizes]) =>
    ofMedia(
      met,
      media.map((one, at) => variantOf(one, drawnSizes[at] ?? assert.fail())),
    ),
  );

function servicesWith(met: Opportunity, members: Partial<AuctionServices> = {}): AuctionServices {
  return {
    limits: createLimits(limitsMemory({ startMs: met.timeMs, ratesFromMs: 0 }, smallSize), () => 0),
    outbound: outboundWith(async () => refuse('timed_out')),
    kinds,
    region: 'us-east',
    baseUrl: () => 'https://us-east.example.com',
    teamOf: () => unsetTeam,
    consent: createConsentReader({ of: () => undefined }),
    now: () => met.timeMs,
    random: () => 0,
    ...members,
  };
}

const outboundWith = (call: Outbound['call']): Outbound => ({
  notify: () => undefined,
  notices: () => assert.fail(),
  paused: () => 0,
  pauseOf: () => undefined,
  close: async () => undefined,
  call,
});

test('each candidate is asked for the media that its targeting admits; all others are counted as refused, once', () => {
  fc.assert(
    fc.property(exchange, severalMedia, (arranged, met) => {
      const objects = new Map(
        arranged.map((one, at) => {
          const object = objectOf(one, at + 1);
          return [demandOf(object, lists, one.isOwnerActive), object];
        }),
      );
      const reading = readingOf((demand) => objects.get(demand) ?? assert.fail());
      const candidates = createCandidateIndex([...objects.keys()], reading, lists);
      const supply: Supply = unrestrictedSupply('RtbEp', { candidates });
      const counts = candidates.refusedCounts();
      const auction = newAuction(supply, met, servicesWith(met, { targetingRefusals: { of: () => counts } }));
      assert.ok(!(select(auction) instanceof Promise));
      const isAdmitted = (demand: Demand, media: Media) =>
        candidates.explain(demand, withMedia(met, [media])) === undefined;
      const media = met.variants?.map((one) => one.media) ?? [];
      const wanted = [...objects.keys()].flatMap((demand) => {
        const admitted = media.filter((one) => isAdmitted(demand, one));
        return admitted.length > 0 ? [[demand.id, admitted]] : [];
      });
      const selected = auction.candidates.map((candidate) => [candidate.demand.id, candidate.media]);
      const byId = (rows: readonly (readonly unknown[])[]) =>
        rows.toSorted(([one], [other]) => Number(one) - Number(other));
      assert.deepEqual(byId(selected), byId(wanted as unknown[][]));
      const counted = new Set<Demand>();
      counts.tell((demand, reason, count) => {
        assert.ok(count === 1 && !counted.has(demand), 'counted once');
        counted.add(demand);
        const refusals = media.flatMap((one) => candidates.refusals(demand, withMedia(met, [one])));
        assert.ok(
          refusals.some((refusal) => refusal.reason === reason),
          reason,
        );
      });
      for (const demand of objects.keys()) {
        assert.equal(targetingRefusal(supply, demand, met) !== undefined, counted.has(demand));
      }
    }),
    seeded(1000),
  );
});

const mtypes = { banner: 1, video: 2, native: 4 } as const;
const markups = {
  banner: '<p>brand</p>',
  video: vastAd(),
  native: '{"ver":"1.2","assets":[]}',
} as const;
const flags = { banner: 'BannerEnabled', video: 'VideoEnabled', native: 'NativeEnabled' } as const;

interface DrawnBid {
  readonly media: (typeof standard)[number];
  readonly price: number;
  readonly isMarked: boolean;
  readonly attr: readonly number[];
}

const bids = fc.array(
  fc.record<DrawnBid>({
    media: fc.constantFrom(...standard),
    price: fc.constantFrom(0.5, 1, 2, 3, 4),
    isMarked: fc.boolean(),
    attr: fc.subarray([1, 2]),
  }),
  { maxLength: 4 },
);
const bidder = fc.record({ enabled: fc.subarray([...standard]), bids });

/** Attributes that each medium blocks. */
const blocked = { video: [1], banner: [2], native: [] } as const;
const blocksOf = (media: (typeof standard)[number]) => ({
  cattax: 1,
  apps: new Set<string>(),
  allowedCategories: new Set<string>(),
  categories: new Set<string>(),
  domains: new Set<string>(),
  attributes: new Set<number>(blocked[media]),
  allowedSeats: new Set<string>(),
  seats: new Set<string>(),
});

const floorUsd = 1;

async function held(
  bidders: readonly (typeof bidder extends fc.Arbitrary<infer V> ? V : never)[],
  media: readonly (typeof standard)[number][],
) {
  const objects = new Map(
    bidders.map(({ enabled }, at) => {
      const values = Object.fromEntries(standard.map((one) => [flags[one], Number(enabled.includes(one))]));
      const object = objectWith(
        'DspRtbEp',
        { ...values, ZoneUrlUsEast: `https://dsp.example/${at}` },
        { id: at + 1 },
      );
      return [demandOf(object, lists, true), object];
    }),
  );
  const reading = readingOf((demand) => objects.get(demand) ?? assert.fail());
  const candidates = createCandidateIndex([...objects.keys()], reading, lists);
  const supply = unrestrictedSupply('RtbEp', { candidates });
  const imp = {
    banner: { w: 300, h: 250 },
    video: { mimes: ['video/mp4'] },
    native: { request: '{}' },
  };
  const variants = media.map((one) => variantOf(one, { width: 0, height: 0 }, { blocks: blocksOf(one) }));
  const [met] = fc.sample(opportunity, { numRuns: 1, seed: 1 });
  assert.ok(met);
  const request = ofMedia(
    { ...met, floorCpmMicros: floorUsd * 1_000_000, supplyChain: undefined, original: { request: {}, imp } },
    variants,
  );
  const sent = new Map<string, readonly string[]>();
  const outbound = outboundWith(async (partner, { body = '' }) => {
    const {
      id,
      imp: [asked],
    } = JSON.parse(String(body));
    sent.set(
      partner,
      standard.filter((one) => asked[one]),
    );
    const { bids: answered } = bidders[Number(partner.split(':')[1]) - 1] ?? assert.fail();
    const bid = answered.map(({ media: one, price, isMarked, attr }, at) => ({
      id: `${at}`,
      impid: '1',
      price,
      attr,
      adm: markups[one],
      ...(isMarked && { mtype: mtypes[one] }),
    }));
    return { status: 200, headers: {}, body: JSON.stringify({ id, seatbid: [{ bid }] }) };
  });
  const auction = await runAuction(supply, request, servicesWith(request, { outbound }));
  return { auction, sent };
}

describe('among several media', () => {
  const media = fc.subarray([...standard], { minLength: 1 });

  test('the highest valid bid wins, and each bidder is asked for what it is enabled for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bidder, { maxLength: 4 }), media, async (bidders, offered) => {
        const { auction, sent } = await held(bidders, offered);
        const valid = bidders.flatMap(({ enabled, bids: answered }, at) => {
          const asked = standard.filter((one) => enabled.includes(one) && offered.includes(one));
          assert.deepEqual(sent.get(`DspRtbEp:${at + 1}`) ?? [], asked);
          return answered.filter((bid) => {
            // Alone, a medium need not be told; a banner's markup tells none.
            const isKnown = bid.isMarked || asked.length === 1 || bid.media !== 'banner';
            const isFit = asked.includes(bid.media) && isKnown && bid.price >= floorUsd;
            return isFit && !bid.attr.some((code) => blocksOf(bid.media).attributes.has(code));
          });
        });
        const highest = Math.max(0, ...valid.map(({ price }) => price));
        const [winner] = auction.ranking;
        assert.equal((winner?.bid.priceCpmMicros ?? 0) / 1_000_000, highest);
        if (!winner) return;
        assert.equal(auction.opportunity.media, winner.bid.media);
        assert.ok(valid.some(({ media: one, price }) => one === winner.bid.media && price === highest));
      }),
      seeded(1000),
    );
  });

  test('where demand is for one alone, the auction ends as if it were the only one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(bidder, { maxLength: 4 }),
        fc.constantFrom(...standard),
        async (drawn, only) => {
          const bidders = drawn.map((one) => ({ ...one, enabled: [only] }));
          const outcomes = await Promise.all(
            [[...standard], [only]].map(async (offered) => {
              const { auction, sent } = await held(bidders, offered);
              const { media: one } = auction.opportunity;
              const outcome = auction.candidates.map(({ demand, refusal, bid, refused }) => [
                demand.id,
                refusal,
                bid?.priceCpmMicros,
                bid?.media,
                refused.map((other) => other.refusal),
              ]);
              const ranking = auction.ranking.map(({ bid, clearingCpmMicros, payoutCpmMicros, markup }) => [
                bid.priceCpmMicros,
                clearingCpmMicros,
                payoutCpmMicros,
                markup,
              ]);
              return { sent, outcome, ranking, refusal: auction.refusal, ...(bidders.length > 0 && { one }) };
            }),
          );
          assert.deepEqual(outcomes[0], outcomes[1]);
        },
      ),
      seeded(500),
    );
  });
});
