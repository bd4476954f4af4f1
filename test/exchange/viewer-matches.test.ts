import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partnerOf } from '../../src/exchange/snapshot/partner.ts';
import { createMatchSealer } from '../../src/exchange/trackers/sealed-matches.ts';
import { createTokenSealer } from '../../src/exchange/trackers/token-sealer.ts';
import {
  hasOptedOut,
  type Matches,
  matchCookies,
  matchesInText,
  matchesText,
  noMatches,
  optOutCookies,
  readMatches,
} from '../../src/exchange/viewer-matches.ts';
import { settingsOf } from './settings-of.ts';

const nowMs = Date.UTC(2027, 0, 31, 12);
const dayMs = 86_400_000;
const key = (secret: string) => [{ id: 0, secret: Buffer.from(secret.padEnd(32, '.')), fromMs: 0 }];
const sealerWith = (secret: string) => createMatchSealer(createTokenSealer(() => key(secret)));
const sealer = sealerWith('ours');

const partners = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.stringMatching(/^[\w-]{8}$/))
  .map(([id, hash]) => `${id}-${hash}`);
const uids = fc.stringMatching(/^[ -~]{1,256}$/);
/** As matched one after the other; the same partner may match again. */
const matched = fc.array(fc.tuple(partners, uids), { maxLength: 60 });
const matchesOf = (rows: readonly (readonly [string, string])[], atMs = nowMs): Matches =>
  rows.reduce((matches, [partner, uid]) => matches.with(partner, uid, atMs), noMatches);
/** As a browser has and sends them, after answers. */
function kept(jar: Map<string, string>, cookies: readonly string[]): string {
  for (const cookie of cookies) {
    const [pair = ''] = cookie.split(';', 1);
    const [name = ''] = pair.split('=', 1);
    if (cookie.includes('Max-Age=0;')) jar.delete(name);
    else jar.set(name, pair);
  }
  return [...jar.values()].join('; ');
}
const sent = (matches: Matches) => kept(new Map(), matchCookies(noMatches, matches));

test('cookies come back: bounded, the oldest left out first, and each ID under its own partner', () => {
  fc.assert(
    fc.property(matched, (rows) => {
      const jar = new Map<string, string>();
      let header = '';
      for (const [index, [partner, uid]] of rows.entries()) {
        const atMs = nowMs + index * 60_000;
        const before = readMatches(header, atMs) ?? noMatches;
        const cookies = matchCookies(before, before.with(partner, uid, atMs));
        for (const cookie of cookies)
          assert.match(
            cookie,
            /^__Host-bourse-uid-[!-:<-~]*; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=None; Partitioned$/,
          );
        header = kept(jar, cookies);
        assert.ok(header.length <= 3500);
      }
      const read = readMatches(header, nowMs + rows.length * 60_000);
      const newest = new Map(rows);
      const order = [...new Set(rows.map(([partner]) => partner).toReversed())];
      const known = order.map((partner) => read?.of(partner));
      const firstLost = known.indexOf(undefined);
      if (firstLost !== -1)
        assert.ok(
          known.slice(firstLost).every((uid) => uid === undefined),
          'the oldest go first',
        );
      for (const [index, partner] of order.entries())
        assert.ok(known[index] === undefined || known[index] === newest.get(partner));
      if (order.length > 0) assert.equal(known[0], newest.get(order[0] ?? ''));
    }),
    { numRuns: 50 },
  );
});

test('answers that come at the same time do not undo each other', () => {
  const jar = new Map<string, string>();
  const header = kept(jar, matchCookies(noMatches, matchesOf([['1-a', 'a']])));
  const before = readMatches(header, nowMs) ?? noMatches;
  for (const partner of ['2-b', '3-c']) kept(jar, matchCookies(before, before.with(partner, partner, nowMs)));
  const after = readMatches([...jar.values()].join('; '), nowMs);
  assert.deepEqual(
    ['1-a', '2-b', '3-c'].map((partner) => after?.of(partner)),
    ['a', '2-b', '3-c'],
  );
});

test('a sealed token comes back the same way, and only by our key', () => {
  fc.assert(
    fc.property(matched, (rows) => {
      const token = sealer.seal(matchesOf(rows), nowMs);
      assert.ok(token.length <= 1500);
      assert.match(token, /^[\w-]*$/);
      const read = sealer.open(token, nowMs);
      for (const [partner, uid] of new Map(rows))
        assert.ok(read?.of(partner) === undefined || read.of(partner) === uid);
      const [last] = rows.slice(-1);
      assert.equal(read?.of(last?.[0] ?? ''), last?.[1]);
      if (token !== '') assert.equal(sealerWith('theirs').open(token, nowMs), undefined);
    }),
    { numRuns: 50 },
  );
});

test('garbage is no match and throws nothing, and one bad entry leaves its neighbours', () => {
  const garbage = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[\w:&%~-]*$/),
    fc.base64String(),
  );
  fc.assert(
    fc.property(garbage, partners, uids, (text, partner, uid) => {
      readMatches(`a=1; __Host-bourse-uid-1-a=${text}`, nowMs);
      assert.equal(sealer.open(text, nowMs), undefined);
      const good = matchesText(matchesOf([[partner, uid]]), 3000);
      const without = text.replaceAll('&', '');
      assert.equal(matchesInText(`${without}&${good}`, nowMs).of(partner), uid);
    }),
  );
  const token = sealer.seal(matchesOf([['1-aaaaaaaa', 'u']]), nowMs);
  const newer = Buffer.from(token, 'base64url');
  newer[0] = 9;
  assert.equal(sealer.open(newer.toString('base64url'), nowMs), undefined, 'of a newer version');
});

test('a match lasts 30 days, in the cookie as in the token', () => {
  const matches = matchesOf([['1-aaaaaaaa', 'u']]);
  const [cookie, token] = [sent(matches), sealer.seal(matches, nowMs)];
  for (const [days, isKnown] of [
    [29, true],
    [31, false],
  ] as const) {
    const atMs = nowMs + days * dayMs;
    assert.equal(readMatches(cookie, atMs)?.of('1-aaaaaaaa') !== undefined, isKnown);
    assert.equal(sealer.open(token, atMs)?.of('1-aaaaaaaa') !== undefined, isKnown);
  }
});

test('an ID that is matched again is the newest, an empty one ends the match, others are refused', () => {
  const both = matchesOf([
    ['1-a', 'old'],
    ['2-b', 'b'],
    ['1-a', 'new'],
  ]);
  assert.match(matchesText(both, 100), /^2-b:\w+:b&1-a:\w+:new$/);
  assert.equal(both.with('1-a', '', nowMs).of('1-a'), undefined);
  for (const uid of ['ü', 'a\n', 'a'.repeat(257), '\u0000'])
    assert.throws(() => both.with('1-a', uid, nowMs), RangeError);
});

test('whoever has opted out is unknown', () => {
  const matches = sent(matchesOf([['1-a', 'u']]));
  const out = optOutCookies(true);
  assert.deepEqual(
    out.map((cookie) => cookie.endsWith('; Partitioned')),
    [true, false],
  );
  for (const cookie of out) {
    const [pair] = cookie.split(';', 1);
    assert.ok(hasOptedOut(pair));
    assert.equal(readMatches(`${matches}; ${pair}`, nowMs), undefined);
  }
  assert.ok(optOutCookies(false).every((cookie) => cookie.includes('Max-Age=0')));
});

test('objects of an advertiser with one sync URL are one partner, those of two are two', () => {
  const settings = fc
    .record({
      kind: fc.constantFrom('DspRtbEp', 'DspVastTag', 'DspPopFeed'),
      SyncType: fc.constantFrom(0, 1, 2),
      SyncUrl: fc.constantFrom('', 'https://a.example/{redirect_url}$UID', 'https://b.example/'),
      advertiser: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ kind, advertiser, ...own }) => ({
      partner: partnerOf(settingsOf(kind as 'DspRtbEp', own), { id: advertiser }),
      expected: own.SyncType === 0 || own.SyncUrl === '' ? '' : `${advertiser} ${own.SyncUrl}`,
    }));
  fc.assert(
    fc.property(settings, settings, (one, other) => {
      assert.equal(one.partner === other.partner, one.expected === other.expected);
      assert.equal(one.partner === '', one.expected === '');
    }),
  );
});
