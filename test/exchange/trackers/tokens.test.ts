import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSignatures, signatureCharacters } from '../../../src/exchange/trackers/signatures.ts';
import { createTokens, tokenCharactersMax } from '../../../src/exchange/trackers/tokens.ts';
import type { TrackedAd } from '../../../src/exchange/trackers/tracked-ad.ts';
import { seeded } from '../../support/seed.ts';

const secret = Buffer.from('0123456789abcdef0123456789abcdef');
const tokens = createTokens(secret);
const expiresMs = 1_800_000_000_000;

const count = fc.nat();
const text = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'grapheme' }));
const plain = { noNullPrototype: true };
const ads: fc.Arbitrary<TrackedAd> = fc.record(
  {
    auctionId: fc.uuid(),
    supply: fc.record({ kind: fc.constantFrom('VastTag', 'PopFeed'), id: count }, plain),
    demand: fc.record({ kind: fc.constantFrom('Campaign', 'DspRtbEp'), id: count }, plain),
    clearingCpmMicros: count,
    payoutCpmMicros: count,
    auctionMs: count,
    expiresMs: fc.constant(expiresMs),
    subId: text,
    place: text,
    isApp: fc.boolean(),
    ip: fc.oneof(fc.ipV4(), fc.ipV6()),
    userAgentHash: count,
    billingNotice: text,
    offer: fc.constantFrom('', 'win', 'billing', 'impression'),
    winNotice: text,
    lossNotice: text,
    landing: text,
    isRefererChecked: fc.boolean(),
    isNotice: fc.boolean(),
    isFallback: fc.boolean(),
    standsUntilMs: count,
    alternatives: fc.array(fc.record({ kind: fc.constantFrom('Campaign', 'DspRtbEp'), id: count }, plain)),
  },
  plain,
);

test('what is signed is read again, and means nothing in a URL, in XML or in HTML', () => {
  fc.assert(
    fc.property(ads, (ad) => {
      const token = tokens.sign(ad);
      assert.match(token, /^[\w.:~-]+$/);
      assert.deepEqual(tokens.read(token, expiresMs - 1), ad);
      assert.equal(tokens.read(token, expiresMs), undefined);
    }),
    seeded(300),
  );
});

test('nobody reads in it what the exchange earns, whose address it is, nor what partners are told', () => {
  const [ad] = fc.sample(ads, { ...seeded(2), numRuns: 1 });
  assert.ok(ad);
  const secrets: Partial<TrackedAd> = {
    clearingCpmMicros: 7_654_321,
    payoutCpmMicros: 1_234_567,
    ip: '203.0.113.77',
    billingNotice: 'https://dsp.example/bill?price=7.654321',
    winNotice: 'https://dsp.example/win',
    lossNotice: 'https://dsp.example/loss',
    landing: 'https://brand.example/sale',
  };
  const token = tokens.sign({ ...ad, ...secrets });
  const parts = [token, ...token.split(/[~.:-]/)].flatMap((part) =>
    [0, 1, 2, 3].flatMap((from) => [
      part.slice(from),
      Buffer.from(part.slice(from), 'base64url').toString('latin1'),
    ]),
  );
  for (const secret of Object.values(secrets)) {
    assert.ok(!parts.some((part) => part.includes(String(secret))), `${secret} can be read`);
  }
  assert.equal(
    new Set(['a', 'b'].map((auctionId) => tokens.sign({ ...ad, ...secrets, auctionId }).slice(22, 60))).size,
    2,
  );
});

test('a token that is changed anywhere is none', () => {
  const characters = fc.oneof(fc.constantFrom(...'09Az.:~-'), fc.string({ minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(ads, fc.nat(), characters, (ad, at, character) => {
      const token = tokens.sign(ad);
      const index = at % token.length;
      fc.pre(token[index] !== character);
      const changed = token.slice(0, index) + character + token.slice(index + 1);
      assert.equal(tokens.read(changed, 0), undefined);
      // The same in its last byte.
      const code = String.fromCharCode(0x100 + token.charCodeAt(index));
      assert.equal(tokens.read(token.slice(0, index) + code + token.slice(index + 1), 0), undefined);
    }),
    seeded(300),
  );
});

describe('a signature is that of HMAC-SHA-256', () => {
  const keys = fc.uint8Array({ minLength: 1, maxLength: 64, size: 'max' });
  test('under any key, of any text', () => {
    fc.assert(
      fc.property(keys, fc.string({ unit: 'binary', maxLength: 200, size: 'max' }), (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest('base64url');
        assert.equal(createSignatures(key, 400)(message), expected.slice(0, signatureCharacters));
      }),
      seeded(300),
    );
  });

  test('a key of more than a block is refused', () => {
    assert.throws(() => createSignatures(new Uint8Array(65), 10), /65 bytes/);
  });
});

test('the longest token is read, longer ones are not', () => {
  const [ad] = fc.sample(ads, { ...seeded(1), numRuns: 1 });
  assert.ok(ad);
  const isRead = (length: number) => {
    const bare = tokens.sign({ ...ad, isNotice: true, subId: '' }).length;
    const token = tokens.sign({ ...ad, isNotice: true, subId: 'x'.repeat(length - bare) });
    assert.equal(token.length, length);
    return tokens.read(token, 0) !== undefined;
  };
  assert.deepEqual([isRead(tokenCharactersMax), isRead(tokenCharactersMax + 1)], [true, false]);
});
