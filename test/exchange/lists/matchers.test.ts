import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileList } from '../../../src/exchange/lists/compile-list.ts';
import { createListRegistry } from '../../../src/exchange/lists/list-registry.ts';
import { parseIpAddress } from '../../../src/exchange/reading/ip-address.ts';
import { randomStream, seeded } from '../../support/seed.ts';
import { inParts } from '../targeting/samples.ts';

const ipOf = (text: string) => parseIpAddress(text) ?? assert.fail(`${text} is no address`);

const domainRows: readonly (readonly [lines: string, domain: string, isIn: boolean])[] = [
  ['example.com', 'example.com', true],
  ['example.com', 'a.b.example.com', true],
  ['example.com', 'badexample.com', false],
  ['example.com', 'xexample.com', false],
  ['example.com', 'com', false],
  ['a.example.com', 'example.com', false],
  ['www.example.com', 'example.com', true],
  ['www.gov.uk', 'www.gov.uk', true],
  ['www.gov.uk', 'hmrc.gov.uk', false],
  ['gov.uk', 'www.gov.uk', true],
  ['', 'example.com', false],
  ['example.com', '', false],
  ['\r\n example.com \r\n\n', 'example.com', true],
  ['example.com', '例え.example.com', true],
  ['example.com', '例えexample.com', false],
];

const ipRows: readonly (readonly [lines: string, address: string, isIn: boolean])[] = [
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.77/24', '192.0.2.0', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.20/28', '192.0.2.16', true],
  ['192.0.2.20/28', '192.0.2.31', true],
  ['192.0.2.20/28', '192.0.2.15', false],
  ['192.0.2.20/28', '192.0.2.32', false],
  ['192.0.2.1/32', '192.0.2.0', false],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['192.0.2.1-192.0.2.9', '192.0.2.9', true],
  ['192.0.2.1-192.0.2.9', '192.0.2.10', false],
  ['10.0.0.0/8\n10.1.0.0/16', '10.200.0.1', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.0/120', '192.0.2.9', true],
  ['::ffff:192.0.2.1-::ffff:192.0.2.3', '192.0.2.2', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['2001:db8:8000::/33', '2001:db8:ffff::1', true],
  ['2001:db8:8000::/33', '2001:db8:7fff::1', false],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1', true],
  ['2001:db8::1-2001:db8::ff', '2001:db8::100', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '192.0.2.1', false],
  ['::ffff:192.0.2.1/64', '::1', true],
  ['::ffff:192.0.2.1/64', '192.0.2.1', false],
  ['::ffff:192.0.2.1/96', '198.51.100.1', true],
  ['::ffff:192.0.2.1/88', '::ff00:0:0', true],
  ['::ffff:192.0.2.1/88', '::ff:0:0', false],
  ['::1-::ffff:192.0.2.1', '::2', true],
  ['::1-::ffff:192.0.2.1', '::fff0:0:0', true],
  ['::1-::ffff:192.0.2.1', '::1:0:0:0', false],
  ['::ffff:192.0.2.1-2001:db8::1', '::1:0:0:0', true],
  ['::ffff:192.0.2.1-2001:db8::1', '::1', false],
  ['', '192.0.2.1', false],
];

const keywordRows: readonly (readonly [
  lines: string,
  query: string,
  found: readonly (string | undefined)[],
])[] = [
  ['cheap flights', 'cheap flights', ['cheap flights', 'cheap flights', 'cheap flights']],
  ['cheap flights', 'CHEAP  Flights ', ['cheap flights', 'cheap flights', 'cheap flights']],
  ['cheap flights', 'buy cheap flights now', [undefined, 'cheap flights', 'cheap flights']],
  ['cheap flights', 'flights cheap', [undefined, undefined, 'cheap flights']],
  ['cheap flights', 'cheap', [undefined, undefined, undefined]],
  ['a b a c', 'x a b a b a c', [undefined, 'a b a c', 'a b a c']],
  ['a a', 'a', [undefined, undefined, 'a a']],
  ['b\na', 'a b', [undefined, 'b', 'b']],
  ['Ä Ö', 'ä ö', ['ä ö', 'ä ö', 'ä ö']],
  ['東京', '東京 ホテル', [undefined, '東京', '東京']],
  ['casino', 'casinos', [undefined, undefined, undefined]],
  ['', 'casino', [undefined, undefined, undefined]],
  ['casino', '', [undefined, undefined, undefined]],
];

describe('compiled lists', () => {
  for (const [lines, domain, isIn] of domainRows) {
    test(`domain ${domain} is ${isIn ? '' : 'not '}in ${JSON.stringify(lines)}`, async () => {
      assert.equal((await compileList.DomainList(inParts(lines, 3))).has(domain), isIn);
    });
  }
  for (const [lines, address, isIn] of ipRows) {
    test(`address ${address} is ${isIn ? '' : 'not '}in ${JSON.stringify(lines)}`, async () => {
      assert.equal((await compileList.IpList(inParts(lines, 5))).has(ipOf(address)), isIn);
    });
  }
  for (const [lines, query, found] of keywordRows) {
    test(`query ${JSON.stringify(query)} against ${JSON.stringify(lines)}`, async () => {
      const matcher = await compileList.KeywordList(inParts(lines, 2));
      assert.deepEqual(
        ([0, 1, 2] as const).map((mode) => matcher.first(query, mode)),
        found,
      );
    });
  }

  const address = fc.integer({ min: 0, max: 40 }).map((last) => `192.0.2.${last}`);
  const numberOf = (text: string) => Number(text.split('.')[3]);

  test('ranges hold what each of them holds, in any order and overlapping', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(address, address), { maxLength: 8 }), async (pairs) => {
        const ordered = pairs.map((pair) => pair.sort((a, b) => numberOf(a) - numberOf(b)));
        const matcher = await compileList.IpList(inParts(ordered.map((pair) => pair.join('-')).join('\n')));
        for (let last = 0; last <= 41; last += 1) {
          const expected = ordered.some(
            ([low = '', high = '']) => numberOf(low) <= last && last <= numberOf(high),
          );
          assert.equal(matcher.has(ipOf(`192.0.2.${last}`)), expected, `192.0.2.${last}`);
        }
      }),
      seeded(200),
    );
  });

  const words = fc.array(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1, maxLength: 4 });

  test('keywords block what the naive reading says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 5 }), words, async (keywords, query) => {
        const matcher = await compileList.KeywordList(
          inParts(keywords.map((line) => line.join(' ')).join('\n')),
        );
        const naive = [
          (line: string[]) => line.join(' ') === query.join(' '),
          (line: string[]) => ` ${query.join(' ')} `.includes(` ${line.join(' ')} `),
          (line: string[]) => line.every((word) => query.includes(word)),
        ];
        for (const mode of [0, 1, 2] as const) {
          const expected = keywords.find((line) => naive[mode]?.(line))?.join(' ');
          assert.equal(matcher.first(query.join(' '), mode), expected, `mode ${mode}`);
        }
      }),
      seeded(200),
    );
  });

  test('finds every one of many keywords', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `word${at} word${at + 1} all`);
    const matcher = await compileList.KeywordList(inParts(lines.join('\n'), 1000));
    assert.equal(matcher.size, lines.length);
    assert.deepEqual(
      lines.map((line) => matcher.first(`x ${line} y`, 1)),
      lines,
    );
    assert.equal(matcher.first('word3 word5 all', 2), undefined);
  });

  test('holds every one of many entries, and no other', async () => {
    const random = randomStream();
    const lines = Array.from({ length: 20_000 }, (_, at) => `d${at}x${Math.floor(random() * 1e6)}.test`);
    const matcher = await compileList.AppList(inParts(lines.join('\n'), 1000));
    assert.equal(matcher.size, lines.length);
    assert.equal(lines.filter((line) => matcher.has(line)).length, lines.length);
    assert.equal(lines.filter((line) => matcher.has(`${line}x`)).length, 0);
  });

  test('holds every one of many ranges of addresses, in any order, and nothing between them', async () => {
    const count = 3000;
    // Each number once, out of order.
    const numbers = Array.from({ length: count }, (_, at) => (at * 1009) % count);
    const v4 = (n: number, last: number) => `10.${n >> 8}.${n & 255}.${last}`;
    const v6 = (n: number, rest: string) => `2001:db8:${n.toString(16)}:${rest}`;
    const lines = numbers.flatMap((n) => [`${v4(n, 1)}-${v4(n, 9)}`, v6(n, ':/64')]);
    const matcher = await compileList.IpList(inParts(lines.join('\n'), 1000));
    const held = (addresses: (n: number) => string[]) =>
      numbers.flatMap(addresses).filter((text) => matcher.has(ipOf(text))).length;
    assert.equal(matcher.size, 2 * count);
    assert.equal(
      held((n) => [v4(n, 1), v4(n, 9), v6(n, ':1')]),
      3 * count,
    );
    assert.equal(
      held((n) => [v4(n, 0), v4(n, 10), v6(n, '1::')]),
      0,
    );
    assert.deepEqual(
      ['0.0.0.0', '::', '255.255.255.255'].map((text) => matcher.has(ipOf(text))),
      [false, false, false],
    );
  });
});

describe('the registry of lists', () => {
  const domains = async (text: string) => compileList.DomainList(inParts(text));

  test('a list holds nothing before it is set, and after it is removed', async () => {
    const registry = createListRegistry();
    const list = { teamId: 1, isGlobal: false, matcher: await domains('example.com') };
    const seen: boolean[] = [];
    const look = () => seen.push(registry.domain(1, 'example.com'));
    look();
    registry.set('DomainList', 1, list);
    look();
    registry.set('DomainList', 1, { ...list, matcher: await domains('example.org') });
    look();
    registry.set('DomainList', 1, list);
    look();
    registry.remove('DomainList', 1);
    look();
    assert.deepEqual(seen, [false, true, false, true, false]);
  });

  test('global lists are those of the team, in order', async () => {
    const registry = createListRegistry();
    const list = { teamId: 1, isGlobal: true, matcher: await domains('example.com') };
    registry.set('DomainList', 9, list);
    registry.set('DomainList', 3, list);
    registry.set('DomainList', 5, { ...list, isGlobal: false });
    registry.set('DomainList', 6, { ...list, teamId: 2 });
    assert.deepEqual(registry.global('DomainList', 1), [3, 9]);
    registry.set('DomainList', 3, { ...list, teamId: 2 });
    assert.deepEqual(registry.global('DomainList', 1), [9]);
    registry.remove('DomainList', 9);
    assert.deepEqual(registry.global('DomainList', 1), []);
    assert.deepEqual(registry.global('DomainList', 2), [3, 6]);
    assert.deepEqual(registry.global('AppList', 1), []);
  });
});
