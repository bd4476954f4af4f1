import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { floorUsesMax } from '../../../src/exchange/auction/floor-rules.ts';
import type { TrackerKey } from '../../../src/exchange/configuration.ts';
import { createByteWriter, readBytes } from '../../../src/exchange/trackers/byte-writer.ts';
import { adCodec } from '../../../src/exchange/trackers/packed-ad.ts';
import { createTokenKeys, hourAt, tokenCipher } from '../../../src/exchange/trackers/token-keys.ts';
import { tokenCharactersMax, UnreadableToken } from '../../../src/exchange/trackers/token-sealer.ts';
import { type TokenType, tokenTypes } from '../../../src/exchange/trackers/token-type.ts';
import { createTokens, type Tokens } from '../../../src/exchange/trackers/tokens.ts';
import { adLifeMsMax, promisesMax, type TrackedAd } from '../../../src/exchange/trackers/tracked-ad.ts';
import { seeded } from '../../support/seed.ts';
import { adsOf, auctionMs } from './ads.ts';

const secret = Buffer.from('0123456789abcdef0123456789abcdef');
const keyring =
  (...keys: readonly Partial<TrackerKey>[]) =>
  () =>
    keys.map((key, id): TrackerKey => ({ id, secret, fromMs: 0, ...key }));
const tokens = createTokens(keyring({}));
const hourMs = 3_600_000;
const withoutFloors = (ad: TrackedAd): TrackedAd => ({ ...ad, floors: [] });
const withoutRates = (ad: TrackedAd): TrackedAd => ({ ...withoutFloors(ad), localRates: [] });
const withoutConsent = (ad: TrackedAd): TrackedAd => ({
  ...withoutRates(ad),
  traffic: { ...ad.traffic, consent: '' },
});
/** By the version of their tokens, what they say of an ad. */
const forms: readonly (readonly [version: number, said: (ad: TrackedAd) => TrackedAd])[] = [
  [4, withoutConsent],
  [5, withoutRates],
  [6, withoutFloors],
  [7, withoutFloors],
  [8, (ad) => ad],
];
const newerVersion = 9;

const promised = { kind: 'Campaign', id: 1, nanos: 4_000_000, isAtAddress: true } as const;
const types = fc.constantFrom(...tokenTypes);
/** A token with what it was made of. */
const signed = types.chain((type) => adsOf(type).map((ad) => ({ type, ad, token: tokens.sign(type, ad) })));
type Signed = { readonly type: TokenType; readonly ad: TrackedAd; readonly token: string };

const sampleOf = (type: TokenType): TrackedAd =>
  fc.sample(adsOf(type), { ...seeded(1), numRuns: 1 })[0] ?? assert.fail();

test('what is signed is read again, and means nothing in a URL, in XML or in HTML', () => {
  fc.assert(
    fc.property(signed, ({ type, ad, token }) => {
      assert.match(token, /^[\w-]+$/);
      for (const nowMs of [auctionMs, ad.expiresMs - 1, auctionMs + adLifeMsMax])
        assert.deepEqual(tokens.read(type, token, nowMs), ad);
    }),
    seeded(300),
  );
});

test('nobody reads in it what it says, nor whether two say the same', () => {
  fc.assert(
    fc.property(signed, ({ type, ad, token }) => {
      const bytes = Buffer.from(token, 'base64url').toString('latin1');
      const long = [ad.place, ad.subId, ad.billingNotice, ad.winNotice, ad.lossNotice, ad.landing, ad.ip];
      for (const text of long.filter(({ length }) => length > 6)) {
        assert.ok(!token.includes(text));
        assert.ok(!bytes.includes(Buffer.from(text).toString('latin1')));
      }
      const [headerCharacters, again] = [8, tokens.sign(type, ad)];
      assert.equal(again.slice(0, headerCharacters), token.slice(0, headerCharacters));
      assert.notEqual(again.slice(headerCharacters), token.slice(headerCharacters));
    }),
    seeded(100),
  );
});

test('no two tokens share a nonce', () => {
  const ad = sampleOf('markup');
  const nonces = Array.from({ length: 3000 }, () => tokens.sign('markup', ad).slice(8, 24));
  assert.equal(new Set(nonces).size, nonces.length);
});

/** Fails if a text is read as a token that it is not, of whatever type. */
function assertRefused(text: string, originals: readonly Signed[], how: string): void {
  for (const type of tokenTypes) {
    if (originals.some((one) => one.token === text && one.type === type)) continue;
    const read = () => tokens.read(type, text, auctionMs);
    const isNewer = Buffer.from(text.slice(0, 8), 'base64url')[0] === newerVersion;
    // That it is of another type may be known first.
    if (isNewer && Buffer.from(text.slice(0, 8), 'base64url')[1] === tokenTypes.indexOf(type))
      assert.throws(read, UnreadableToken);
    else assert.equal(read(), undefined, `${how} as ${type}: ${text.slice(0, 60)}`);
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe('of the tokens of two teams nothing else can be made', () => {
  const junk = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.base64String({ maxLength: 40 }),
    fc.constantFrom('~', '.', '\n', '=', '==', ' ', '%00', 'A', 'AAAA'),
  );
  const cutAt = (text: string, at: number) => Math.floor(at * (text.length + 1));
  const changes: Readonly<
    Record<string, (a: string, b: string, x: number, y: number, more: string) => string>
  > = {
    'a cut': (a, _, x, y) => a.slice(cutAt(a, Math.min(x, y)), cutAt(a, Math.max(x, y))),
    'a piece taken out': (a, _, x, y) =>
      a.slice(0, cutAt(a, Math.min(x, y))) + a.slice(cutAt(a, Math.max(x, y))),
    'a splice of two': (a, b, x, y) => a.slice(0, cutAt(a, x)) + b.slice(cutAt(b, y)),
    'a splice of two at one place': (a, b, x) => a.slice(0, cutAt(a, x)) + b.slice(cutAt(a, x)),
    'one after the other': (a, b) => a + b,
    'something put in': (a, _, x, _y, more) => a.slice(0, cutAt(a, x)) + more + a.slice(cutAt(a, x)),
    'something instead': (a, _, x, _y, more) =>
      a.slice(0, cutAt(a, x)) + more + a.slice(cutAt(a, x) + more.length),
    'something behind': (a, _, _x, _y, more) => a + more,
    'something before': (a, _, _x, _y, more) => more + a,
    'spliced bytes': (a, b, x, y) => {
      const [one, other] = [Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url')];
      const head = one.subarray(0, Math.floor(x * one.length));
      return Buffer.concat([head, other.subarray(Math.floor(y * other.length))]).toString('base64url');
    },
    'the body under the other header': (a, b) => b.slice(0, 8) + a.slice(8),
    'the other nonce': (a, b) => a.slice(0, 8) + b.slice(8, 24) + a.slice(24),
    'the other tag': (a, b) => {
      const [one, other] = [Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url')];
      return Buffer.concat([one.subarray(0, -16), other.subarray(-16)]).toString('base64url');
    },
  };
  for (const [how, change] of Object.entries(changes)) {
    test(how, () => {
      fc.assert(
        fc.property(signed, signed, place, place, junk, (one, other, x, y, more) => {
          assertRefused(change(one.token, other.token, x, y, more), [one, other], how);
        }),
        seeded(200),
      );
    });
  }

  test('any bit flipped', () => {
    for (const type of tokenTypes) {
      const bytes = Buffer.from(tokens.sign(type, sampleOf(type)), 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assertRefused(flipped.toString('base64url'), [], `bit ${bit}`);
      }
    }
  });

  test('any other type, and any other version or key in the header', () => {
    fc.assert(
      fc.property(signed, fc.nat({ max: 255 }), fc.nat({ max: 5 }), ({ type, ad, token }, value, at) => {
        const bytes = Buffer.from(token, 'base64url');
        fc.pre(bytes[at] !== value);
        bytes[at] = value;
        assertRefused(bytes.toString('base64url'), [], `byte ${at}`);
        assertRefused(token, [{ type, ad, token }], 'itself');
      }),
      seeded(300),
    );
  });

  test('every beginning of it, however short', () => {
    const token = tokens.sign('markup', sampleOf('markup'));
    for (const length of token.split('').keys()) assertRefused(token.slice(0, length), [], 'a beginning');
  });

  test('the same bytes written in another way', () => {
    fc.assert(
      fc.property(signed, place, ({ token }, x) => {
        const at = Math.floor(x * token.length);
        const standard = Buffer.from(token, 'base64url').toString('base64');
        // Of the last character of a text that is no multiple of four, the last bits say nothing.
        const last = alphabet.indexOf(token.slice(-1));
        const others = Array.from(
          { length: 15 },
          (_, bits) => token.slice(0, -1) + alphabet[last ^ (bits + 1)],
        );
        const written = [
          ...others.filter((other) =>
            Buffer.from(other, 'base64url').equals(Buffer.from(token, 'base64url')),
          ),
          standard,
          `${token}=`,
          `${token}==`,
          `${token}\n`,
          ` ${token}`,
          `${token}\0`,
          `${token.slice(0, at)} ${token.slice(at)}`,
          `${token.slice(0, at)}.${token.slice(at)}`,
          `${token.slice(0, at)}${String.fromCharCode(0x100 + token.charCodeAt(at))}${token.slice(at + 1)}`,
        ].filter((text) => text !== token);
        for (const text of written) assertRefused(text, [], 'written otherwise');
      }),
      seeded(200),
    );
  });

  test('under another key than that of its time, when keys are rotated', () => {
    const ad = sampleOf('markup');
    const fresh = { secret: Buffer.from('another secret of 32 bytes long!') };
    const [from, later] = [auctionMs + 24 * hourMs, auctionMs + 48 * hourMs];
    const before = createTokens(keyring({}));
    const rotated = createTokens(keyring({}, { ...fresh, fromMs: from }));
    const adAt = (ms: number) => ({ ...ad, auctionMs: ms, expiresMs: ms + 1000, standsUntilMs: 0 });
    const cases: readonly (readonly [sealedBy: Tokens, atMs: number, readBy: Tokens, isRead: boolean])[] = [
      [before, auctionMs, rotated, true],
      [rotated, auctionMs, before, true],
      [rotated, from, rotated, true],
      [rotated, from, before, false],
      [before, from, rotated, true],
      // Who has the old secret seals nothing any more that counts.
      [before, later, rotated, false],
    ];
    for (const [index, [sealedBy, atMs, readBy, isRead]] of cases.entries()) {
      const token = sealedBy.sign('markup', adAt(atMs));
      const expected = isRead ? adAt(atMs) : undefined;
      assert.deepEqual(readBy.read('markup', token, atMs), expected, `case ${index}`);
    }
  });

  test('under another secret', () => {
    const others = createTokens(keyring({ secret: Buffer.from('another secret of 32 bytes long!') }));
    fc.assert(
      fc.property(signed, ({ type, ad }) => assertRefused(others.sign(type, ad), [], 'another secret')),
      seeded(50),
    );
  });
});

test('a token is read from its auction on until no ad lives any more', () => {
  const read = (type: TokenType, nowMs: number) =>
    tokens.read(type, tokens.sign(type, sampleOf(type)), nowMs) !== undefined;
  const cases: readonly (readonly [nowMs: number, isRead: boolean])[] = [
    [auctionMs - hourMs, false],
    // Clocks of other machines may be five minutes ahead.
    [auctionMs - 301_000, false],
    [auctionMs - 299_000, true],
    [auctionMs + adLifeMsMax + hourMs - 1, true],
    [auctionMs + adLifeMsMax + hourMs, false],
    [0, false],
  ];
  for (const [nowMs, isRead] of cases) assert.equal(read('click', nowMs), isRead, String(nowMs));
});

/** The largest amount as written, and one beyond it. */
const [written, beyond] = ['ffff7fffffffff0f', '80808001ffffffff0f'];

for (const [version, said] of forms) {
  const pack = createByteWriter(tokenCharactersMax);
  const { read: unpackAd, write: packAd } = adCodec(version);

  describe(`what is packed in form ${version}`, () => {
    const packed = types.chain((type) => adsOf(type).map((ad) => Buffer.from(pack((to) => packAd(to, ad)))));
    /** The ad of bytes, undefined where they are refused. */
    const unpacked = (bytes: Buffer): TrackedAd | undefined => {
      try {
        return readBytes(bytes, unpackAd);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
        return undefined;
      }
    };
    /** Bytes mean one ad, and no others mean the same. */
    const assertUnambiguous = (bytes: Buffer) => {
      const ad = unpacked(bytes);
      if (ad) assert.deepEqual(Buffer.from(pack((to) => packAd(to, ad))), bytes);
    };

    test('means one ad, whatever the bytes', () => {
      fc.assert(
        fc.property(
          packed,
          fc.array(fc.tuple(place, fc.nat({ max: 255 })), { maxLength: 3 }),
          (bytes, spoilt) => {
            for (const [at, value] of spoilt) bytes[Math.floor(at * bytes.length)] = value;
            assertUnambiguous(bytes);
          },
        ),
        seeded(1000),
      );
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => assertUnambiguous(Buffer.from(bytes))),
        seeded(500),
      );
    });

    test('has no amount beyond what numbers hold exactly', () => {
      const nanos = Number.MAX_SAFE_INTEGER;
      const ad = said({ ...sampleOf('markup'), promises: [{ ...promised, nanos }] });
      const bytes = Buffer.from(pack((to) => packAd(to, ad)));
      assert.deepEqual(unpacked(bytes), ad);
      const at = bytes.indexOf(Buffer.from(written, 'hex'));
      assert.ok(at > 0);
      const behind = bytes.subarray(at + written.length / 2);
      const spoilt = Buffer.concat([bytes.subarray(0, at), Buffer.from(beyond, 'hex'), behind]);
      assert.equal(unpacked(spoilt), undefined);
    });

    test('ends where it ends', () => {
      fc.assert(
        fc.property(packed, fc.uint8Array({ minLength: 1, maxLength: 4 }), (bytes, more) => {
          assert.ok(unpacked(bytes));
          assert.equal(unpacked(Buffer.concat([bytes, more])), undefined);
          for (let end = 0; end < bytes.length; end += 1)
            assert.equal(unpacked(bytes.subarray(0, end)), undefined);
        }),
        seeded(50),
      );
    });

    const wrong: readonly (readonly [name: string, values: object])[] = [
      ['a price above what any field takes', { clearingCpmMicros: 1e12 + 1 }],
      ['a price that hangs loops', { payoutCpmMicros: 1e300 }],
      ['a negative price', { payoutCpmMicros: -1 }],
      ['a price with a fraction', { payoutCpmMicros: 0.5 }],
      ['a multiplier of nothing', { multiplierMillionths: 0 }],
      ['a multiplier beyond its bound', { multiplierMillionths: 10_000_000_001 }],
      ['a price that is none', { clearingCpmMicros: Number.NaN }],
      ['a time that is none', { auctionMs: Number.NaN }],
      ['a time without end', { auctionMs: 1e300 }],
      ['an ID that is none', { supply: { kind: 'VastTag', id: 0 } }],
      ['an ID beyond all', { demand: { kind: 'Campaign', id: 2 ** 31 } }],
      ['an unknown kind', { demand: { kind: '__proto__', id: 1 } }],
      ['supply as demand', { demand: { kind: 'VastTag', id: 1 } }],
      ['an unknown way to be billed', { offer: 'none' }],
      ['an auction ID that is none', { auctionId: 'x' }],
      ['an auction ID with a zero byte', { auctionId: '\0'.repeat(36) }],
      ['a text without bound', { subId: 'x'.repeat(70_000) }],
      ['too many promises', { promises: Array.from({ length: promisesMax + 1 }, () => promised) }],
    ];
    for (const [name, values] of wrong) {
      test(`is not ${name}`, () => {
        const ad = { ...sampleOf('markup'), ...values } as TrackedAd;
        assert.throws(() => pack((to) => packAd(to, ad)), RangeError);
      });
    }
  });

  describe(`a token of version ${version} that lies, though it is encrypted with our key`, () => {
    /** A token made of these bytes with the key of an hour, as only we can make it. */
    const lying = (type: TokenType, plain: Uint8Array, keyId = hourAt(auctionMs)) => {
      const header = Buffer.from([version, tokenTypes.indexOf(type), 0, 0, 0, 0]);
      header.writeUInt32BE(keyId, 2);
      const nonce = Buffer.alloc(12);
      const key = createTokenKeys(keyring({})).of(0, keyId);
      assert.ok(key);
      const cipher = createCipheriv(tokenCipher, key, nonce, { authTagLength: 16 }).setAAD(header);
      const covered = [cipher.update(plain), cipher.final()];
      return Buffer.concat([header, nonce, ...covered, cipher.getAuthTag()]).toString('base64url');
    };
    const bytesOf = (type: TokenType, values: Partial<TrackedAd> = {}) =>
      Buffer.from(pack((to) => packAd(to, { ...sampleOf(type), ...values })));
    const read = (type: TokenType, token: string) => tokens.read(type, token, auctionMs);

    test('is read where it says nothing wrong', () => {
      for (const type of tokenTypes)
        assert.deepEqual(read(type, lying(type, bytesOf(type))), said(sampleOf(type)));
    });

    const newerCases: readonly (readonly [name: string, type: TokenType, token: () => string])[] = [
    ['with a byte behind', 'markup', () => lying('markup', Buffer.concat([bytesOf('markup'), Buffer.from([0])]))],
    ['without its last byte', 'markup', () => lying('markup', bytesOf('markup').subarray(0, -1))],
    ['for a click that leads to a program', 'click', () => lying('click', bytesOf('click', { landing: 'javascript:alert(1)' }))],
    ['for a click with another header behind', 'click', () => lying('click', bytesOf('click', { landing: 'https://a.example/\r\nx: 1' }))],
  ]; // biome-ignore format: a table
    for (const [name, type, token] of newerCases) {
      test(`is left to newer programs: ${name}`, () =>
        assert.throws(() => read(type, token()), UnreadableToken));
    }

    const cases: readonly (readonly [name: string, type: TokenType, token: () => string])[] = [
    ['empty', 'markup', () => lying('markup', Buffer.alloc(0))],
    ['of another hour than its key', 'markup', () => lying('markup', bytesOf('markup'), hourAt(auctionMs) - 1)],
    ['that expires before its auction', 'markup', () => lying('markup', bytesOf('markup', { expiresMs: auctionMs }))],
    ['that lives too long', 'markup', () => lying('markup', bytesOf('markup', { expiresMs: auctionMs + adLifeMsMax + 1 }))],
    ['that stands too long', 'markup', () => lying('markup', bytesOf('markup', { standsUntilMs: auctionMs + adLifeMsMax + 1 }))],
    ['that stood before its auction', 'markup', () => lying('markup', bytesOf('markup', { standsUntilMs: 1 }))],
    ['for a notice of what was not offered', 'notice', () => lying('notice', bytesOf('click', { landing: '' }))],
    ['for markup of a pop', 'markup', () => lying('markup', bytesOf('click'))],
    ['for a click that leads nowhere', 'click', () => lying('click', bytesOf('click', { landing: '' }))],
    ["for a feed's click of an offered pop", 'click', () => lying('click', bytesOf('open'))],
    ["for an opening of a feed's pop", 'open', () => lying('open', bytesOf('click'))],
  ]; // biome-ignore format: a table
    for (const [name, type, token] of cases) {
      test(`is refused: ${name}`, () => assert.equal(read(type, token()), undefined));
    }
  });
}

const goldenAd: TrackedAd = {
  auctionId: '0f0e0d0c-0b0a-4908-8706-050403020100',
  supply: { kind: 'VastTag', id: 12 },
  demand: { kind: 'Campaign', id: 345 },
  clearingCpmMicros: 4_000_000,
  payoutCpmMicros: 2_000_000,
  multiplierMillionths: 1_000_000,
  auctionMs,
  expiresMs: auctionMs + 3_600_000,
  standsUntilMs: 0,
  subId: '',
  place: 'news.example',
  isApp: false,
  ip: '203.0.113.7',
  userAgentHash: 3_123_456_789,
  traffic: {
    country: 'US',
    deviceType: 2,
    os: 'Windows',
    browser: 'Chrome',
    medium: 'video',
    size: '640x480',
    region: '',
    consent: 'partial',
  },
  facts: { seat: '', adDomain: 'brand.example', creative: '345', deal: '' },
  billingNotice: '',
  winNotice: '',
  lossNotice: '',
  offer: '',
  landing: '',
  isRefererChecked: false,
  isFallback: false,
  promises: [{ kind: 'Campaign', id: 345, nanos: 2_000_000, isAtAddress: false }],
  floors: [
    { ruleId: 5, isControl: true },
    { ruleId: 7, isControl: false },
  ],
  localRates: [
    { side: 'supply', currency: 'EUR', usdPerUnit: 1.0857 },
    { side: 'demand', currency: 'JPY', usdPerUnit: 0.00667 },
  ],
};
/** Of that ad, as programs of these versions have written it: part of the form. */
const goldenTokens: readonly (readonly [version: number, token: string])[] = [
  [
    4,
    'BAAAB6EgGkf0ScDjL5yqJ9mP3I-s83_14mYTUIy5mbVeRTOxGVuGPR1JdwTKQt2FU9isYw4LqLPLh95TK_QKr4z4JZ_AL0uC24jOiQLKTdihuoT3st0E38e2d21Y-wsn-YfBTTYE0II4J0XOdrmebesOzUVNIZPPRXDdkC6XTOx3GKL1vLGP9VOguYZTI7d5lLwut0OLlGPQL40',
  ],
  [
    5,
    'BQAAB6EgFG8at7jXRYsfN7_b5qdWXJThsSYk7tuWqnukzgtUikUwKBWGORmEyjFeS_xi706kAdlgrZ2boVLo7NVLkOF7FBKO7BJxtftlq5-7N1KcZ3bHlp3DjOGiHJQX_uHq-eFmYSp8XbFwQN8h2rfScprZBGjbxBlzU-7FBJypn3LQA0wgkz7g2zDlFs5Z9BZrNTsi19koIJL_',
  ],
  [
    6,
    'BgAAB6EgE9qdpJB7VwJEpuoZufrHKlUNNGiBbwjtdoS8MV_9akx1G331NGFgRkVo3FEhgTIu9sHXbyJO5qx2oovIt62YcCO15z-rizzVPzj8E1oVugWEq0KrTZ8MplICp4BoNo233fwHNuS813XCv0aGxJWUdUO3iTwYs4WClvs7HcZxkyc4PWYgn-CX13E3WOnAyosMfKAjhipM_QDeHNxV42CMf0KyPYhdBrqkBfYsE5ugxpyY',
  ],
  [
    8,
    'CAAAB6EgQSsFsUeZHR_cqsV6rUanTjx6UutB4i9ggrvxSuPkT5IMQhdXRJbJfJzE2jH3RmibpZL_jvCdVvem6ktT56MZ6yY11fv5el7b2r9r_22-nQC9ZLjyMXhua5ffVHTGLFeSeyfkFWVLO8oQsoLQCLpFTm7LzLjRor_KhZTbsYiwK3WrZYL6tQvJOJC9O3BQYCHD8C2QgKcD6KQhgwvAMttSedjLV6r2IFO-WubzTdkndPl9Cvlj-nI',
  ],
];

test('a token of each version is read as long as its trackers may live', () => {
  for (const [version, token] of goldenTokens) {
    const read = () => tokens.read('markup', token, auctionMs);
    assert.equal(Buffer.from(token, 'base64url')[0], version);
    const localRates = version < 6 ? [] : goldenAd.localRates;
    const floors = version < 8 ? [] : goldenAd.floors;
    const consent = version < 5 ? '' : goldenAd.traffic.consent;
    const ad = { ...goldenAd, localRates, floors, traffic: { ...goldenAd.traffic, consent } };
    assert.deepEqual(read(), ad);
    assert.deepEqual(read(), ad);
  }
});

test('a token that was read before is refused like any other for another tracker, and when its time is over', () => {
  const token = tokens.sign('markup', sampleOf('markup'));
  assert.deepEqual(tokens.read('markup', token, auctionMs), sampleOf('markup'));
  assertRefused(token, [{ type: 'markup', ad: sampleOf('markup'), token }], 'read before');
  assert.equal(tokens.read('markup', token, auctionMs + adLifeMsMax + hourMs), undefined);
  assert.deepEqual(tokens.read('markup', token, auctionMs), sampleOf('markup'));
});

test('an ad that makes no sense for its token is not signed', () => {
  assert.throws(() => tokens.sign('notice', sampleOf('click')), RangeError);
  assert.throws(() => tokens.sign('markup', { ...sampleOf('markup'), expiresMs: auctionMs }), RangeError);
});

test('the ad with the longest values fits into a token', () => {
  const url = (characters: number) => `https://a.example/${'x'.repeat(characters - 18)}`;
  const ad: TrackedAd = {
    ...sampleOf('open'),
    landing: url(4096),
    billingNotice: url(2048),
    winNotice: url(2048),
    lossNotice: '',
    subId: '\u{ffff}'.repeat(128),
    place: '\u{ffff}'.repeat(255),
    facts: {
      seat: '\u{ffff}'.repeat(64),
      adDomain: '\u{ffff}'.repeat(64),
      creative: '\u{ffff}'.repeat(64),
      deal: '\u{ffff}'.repeat(64),
    },
    traffic: {
      country: 'US',
      deviceType: 8,
      os: 'x'.repeat(32),
      browser: 'x'.repeat(32),
      medium: 'banner',
      size: '99999x99999',
      region: 'x'.repeat(32),
      consent: 'not_required',
    },
    localRates: goldenAd.localRates,
    floors: Array.from({ length: floorUsesMax }, () => ({ ruleId: 2 ** 31 - 1, isControl: false })),
    ip: 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255',
    promises: Array.from({ length: promisesMax }, () => promised),
  };
  const token = tokens.sign('open', ad);
  assert.ok(token.length <= tokenCharactersMax);
  assert.deepEqual(tokens.read('open', token, auctionMs), ad);
  assert.equal(tokens.read('open', token.padEnd(tokenCharactersMax + 1, 'A'), auctionMs), undefined);
});
