import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mismatchedField } from '../../../src/exchange/trackers/match.ts';
import { textHash } from '../../../src/exchange/trackers/text-hash.ts';

type Asked = Parameters<typeof mismatchedField>;

const none = { nonEmptyReferer: false, refererMatch: false, ipMatch: false, uaMatch: false };
const all = { nonEmptyReferer: true, refererMatch: true, ipMatch: true, uaMatch: true };
/** Of a site, whose visitor calls the tracker himself. */
const expected: Asked[0] = {
  isApp: false,
  isRefererChecked: false,
  place: 'https://news.example/today',
  ip: '203.0.113.7',
  userAgentHash: textHash('Player/1'),
};
const caller: Asked[1] = {
  referer: 'https://www.news.example/',
  cookie: '',
  ip: '203.0.113.7',
  lacksUserAgent: false,
  hasGpc: false,
  isPrefetch: false,
  device: { ip: '', userAgent: '' },
  userAgent: 'Player/1',
};

/** What differs from the above, on which flags, and the field that refuses. */
const cases: readonly {
  readonly name: string;
  readonly ad?: Partial<Asked[0]>;
  readonly by?: Partial<Asked[1]>;
  readonly flags?: Asked[2];
  readonly refused: string | undefined;
}[] = [
  { name: 'all matches', refused: undefined },
  { name: 'no object asks', by: { referer: '', ip: '', userAgent: '' }, flags: [none], refused: undefined },
  { name: 'one of two objects asks', by: { ip: '' }, flags: [none, all], refused: 'IpMatch' },
  { name: 'no referer', by: { referer: '' }, refused: 'NonEmptyReferer' },
  { name: 'no referer, of an app', ad: { isApp: true }, by: { referer: '' }, refused: 'NonEmptyReferer' },
  {
    name: 'no referer, where a page of ours asked',
    ad: { isRefererChecked: true },
    by: { referer: '' },
    refused: undefined,
  },
  {
    name: 'no referer, where only another is refused',
    by: { referer: '' },
    flags: [{ ...none, refererMatch: true }],
    refused: undefined,
  },
  { name: 'another site', by: { referer: 'https://other.example/' }, refused: 'RefererMatch' },
  {
    name: 'another site, where any referer will do',
    by: { referer: 'https://other.example/' },
    flags: [{ ...all, refererMatch: false }],
    refused: undefined,
  },
  {
    name: 'a site, of an app',
    ad: { isApp: true, place: 'com.news' },
    by: { referer: 'https://other.example/' },
    refused: undefined,
  },
  {
    name: 'our own site, where a page of ours asked',
    ad: { isRefererChecked: true },
    by: { referer: 'https://bourse.example/' },
    refused: undefined,
  },
  { name: 'another address', by: { ip: '203.0.113.8' }, refused: 'IpMatch' },
  { name: 'any address, where none is expected', ad: { ip: '' }, refused: undefined },
  { name: 'another user agent', by: { userAgent: 'Player/2' }, refused: 'UaMatch' },
  { name: 'no user agent', by: { userAgent: '' }, refused: 'UaMatch' },
  { name: 'any user agent, where none is expected', ad: { userAgentHash: textHash('') }, refused: undefined },
];

describe('the match flags refuse', () => {
  for (const { name, ad, by, flags = [all], refused } of cases) {
    test(`${name}: ${refused ?? 'nothing'}`, () => {
      assert.equal(mismatchedField({ ...expected, ...ad }, { ...caller, ...by }, flags), refused);
    });
  }
});

test('a text hash is that of FNV-1a, by its published values, and 0 for no text alone', () => {
  const texts = ['', 'a', 'b', 'foobar'];
  assert.deepEqual(texts.map(textHash), [0, 0xe40c292c, 0xe70c2de5, 0xbf9cf968]);
});
