import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { countryCode } from '../../../src/exchange/reading/country-code.ts';
import { countriesIn, readGeoIp } from '../../../src/exchange/reading/geo-ip.ts';
import { parseForwardedAddress, parseIpAddress } from '../../../src/exchange/reading/ip-address.ts';
import { refererMatches, siteHost } from '../../../src/exchange/reading/site-host.ts';
import { seeded } from '../../support/seed.ts';
import { ipv4Bits, mmdbFile, type Network } from './mmdb-file.ts';

const addresses: readonly (readonly [text: string, canonical: string | undefined])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['255.255.255.255', '255.255.255.255'],
  ['256.0.0.1', undefined],
  ['01.2.3.4', undefined],
  ['1.2.3', undefined],
  ['2130706433', undefined],
  ['0x7f.0.0.1', undefined],
  [' 192.0.2.1', undefined],
  ['192.0.2.1:80', undefined],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['::', '::'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['::192.0.2.1', '::c000:201'],
  ['::ffff:0x1.2.3.4', undefined],
  ['::ffff:01.2.3.4', undefined],
  ['0000:0000:0000:0000:0000:ffff:255.255.255.255', '255.255.255.255'],
  ['fe80::1%eth0', undefined],
  ['[::1]', undefined],
  ['1:2:3:4:5:6:7', undefined],
  ['', undefined],
];

/** Forms in which others tell addresses, beside those above. */
const forwardedAddresses: readonly (readonly [text: string, canonical: string | undefined])[] = [
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1\t', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['192.0.2.1, 10.0.0.1', '192.0.2.1'],
  ['192.0.2.1:80,10.0.0.1', '192.0.2.1'],
  ['[2001:DB8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['2001:db8::1, 192.0.2.1', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:1', '192.0.2.1'],
  ['192.0.2.1 10.0.0.1', undefined],
  ['192.0.2.1:x', undefined],
  ['256.0.0.1:80', undefined],
  ['unknown, 192.0.2.1', undefined],
  ['[192.0.2.1', undefined],
  [`192.0.2.1${' '.repeat(300)}`, undefined],
  ['', undefined],
];

const hosts: readonly (readonly [url: string, host: string])[] = [
  ['https://WWW.Example.com:8080/x?y#z', 'example.com'],
  ['example.com/page', 'example.com'],
  ['//cdn.example.com/x', 'cdn.example.com'],
  ['http://user:pw@a.b.co.uk/', 'a.b.co.uk'],
  ['https://müller.de/', 'xn--mller-kva.de'],
  ['http://example.com./', 'example.com'],
  ['http://www.com/', 'www.com'],
  ['https://www.gov.uk/browse', 'www.gov.uk'],
  ['https://www.blogspot.com/', 'www.blogspot.com'],
  ['http://192.0.2.1/a', '192.0.2.1'],
  ['http://exa mple.com/', ''],
  ['javascript:alert(1)', ''],
  ['', ''],
  [`http://${'a'.repeat(100_000)}.com/`, ''],
];

const referers: readonly (readonly [referer: string, site: string, matches: boolean])[] = [
  ['https://example.com/', 'https://www.example.com/page', true],
  ['https://player.example.co.uk/', 'https://example.co.uk', true],
  ['https://example.org/', 'https://example.com/', false],
  ['https://a.co.uk/', 'https://b.co.uk/', false],
  ['https://a.github.io/', 'https://b.github.io/', false],
  ['http://192.0.2.1/', 'http://192.0.2.1/x', true],
  ['', 'https://example.com/', true],
  ['https://example.com/', '', true],
  ['no url', 'https://example.com/', false],
];

const codes: readonly (readonly [text: string, code: string])[] = [
  ['USA', 'US'],
  ['deu', 'DE'],
  ['us', 'US'],
  ['XKX', 'XK'],
  ['A1', 'A1'],
  ['ZZ', ''],
  ['Germany', ''],
  ['', ''],
];

for (const [text, canonical] of addresses) {
  test(`address ${JSON.stringify(text)}`, () => assert.equal(parseIpAddress(text)?.text, canonical));
}
for (const [text, canonical] of forwardedAddresses) {
  test(`forwarded address ${JSON.stringify(text)}`, () =>
    assert.equal(parseForwardedAddress(text)?.text, canonical));
}
for (const [url, host] of hosts) {
  test(`host of ${url.slice(0, 40)}`, () => assert.equal(siteHost(url), host));
}
for (const [referer, site, matches] of referers) {
  test(`referer ${referer} for ${site}`, () => assert.equal(refererMatches(referer, site), matches));
}
for (const [text, code] of codes) {
  test(`country ${text}`, () => assert.equal(countryCode(text), code));
}

test('the text of an address is read as the same address', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  );
  fc.assert(
    fc.property(bytes, (raw) => {
      const groups = Array.from({ length: 8 }, (_, at) =>
        (((raw[at * 2] ?? 0) << 8) | (raw[at * 2 + 1] ?? 0)).toString(16),
      );
      const first = parseIpAddress(raw.length === 4 ? raw.join('.') : groups.join(':'));
      assert.ok(first);
      assert.deepEqual(parseIpAddress(first.text), first);
    }),
    seeded(300),
  );
});

test('no text breaks a reader', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), (text) => {
      for (const read of [parseIpAddress, parseForwardedAddress, siteHost, countryCode]) read(text);
      refererMatches(text, 'https://example.com/');
    }),
    seeded(500),
  );
});

const countriesOf = async (path?: string) => countriesIn(await readGeoIp(path));

describe('countries of addresses by the database of the package', () => {
  for (const [text, country] of [
    ['193.99.144.80', 'DE'],
    ['::ffff:193.99.144.80', 'DE'],
    ['2a02:2e0:3fe:1001:302::', 'DE'],
    ['8.8.8.8', 'US'],
    ['2001:4860:4860::8888', 'US'],
    ['127.0.0.1', ''],
    ['::1', ''],
    ['10.0.0.1', ''],
    ['192.168.1.1', ''],
    ['100.64.0.1', ''],
    ['203.0.113.7', ''],
    ['2001:db8::1', ''],
    ['fd00::1', ''],
  ] as const) {
    test(`${text} is of ${country || 'no known country'}`, async () => {
      assert.equal((await countriesOf())(parseIpAddress(text) ?? assert.fail()), country);
    });
  }

  test('it says what it is and how old', async () => {
    const { database, builtMs, isBuiltIn } = await readGeoIp();
    assert.deepEqual([database, isBuiltIn], ['geo-whois-asn-country', true]);
    assert.ok(builtMs >= Date.UTC(2026, 5, 1) && builtMs <= Date.now(), new Date(builtMs).toISOString());
  });
});

describe('countries of addresses by a file', () => {
  let folder: string;
  const networks: readonly Network[] = [
    [ipv4Bits('192.0.2.0', 24), { country: { iso_code: 'DE' } }],
    [ipv4Bits('198.51.100.0', 24), { registered_country: { iso_code: 'FR' } }],
    [ipv4Bits('203.0.113.0', 25), { country: 'US' }],
    [ipv4Bits('203.0.113.128', 25), { country_code: 'GB' }],
    [
      ipv4Bits('198.18.0.0', 24),
      { country: { iso_code: 'DE' }, country_code: 'GB', registered_country: { iso_code: 'FR' } },
    ],
    [ipv4Bits('198.18.1.0', 24), { country: {}, country_code: 'GB', registered_country: { iso_code: 'FR' } }],
    [ipv4Bits('198.18.2.0', 24), { country: { iso_code: 7 }, registered_country: { iso_code: 'FR' } }],
    [ipv4Bits('198.18.3.0', 24), { country: { iso_code: 'ZZ' } }],
    [`0010000000000001${'0000110110111000'}`, { country: { iso_code: 'JP' } }],
  ];
  const written = (name: string, file: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, file);
    return path;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bourse-geoip-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [text, country] of [
    ['192.0.2.77', 'DE'],
    ['::ffff:192.0.2.77', 'DE'],
    ['198.51.100.1', 'FR'],
    ['203.0.113.1', 'US'],
    ['203.0.113.200', 'GB'],
    ['198.18.0.1', 'DE'],
    ['198.18.1.1', 'GB'],
    ['198.18.2.1', 'FR'],
    ['198.18.3.1', ''],
    ['2001:db8::1', 'JP'],
    ['2001:db9::1', ''],
    ['10.0.0.1', ''],
  ] as const) {
    test(`${text} is of ${country || 'no known country'}`, async () => {
      const countryOf = await countriesOf(written('country.mmdb', mmdbFile(networks)));
      assert.equal(countryOf(parseIpAddress(text) ?? assert.fail()), country);
    });
  }

  test('a file may know the countries of private networks, and tells what it is', async () => {
    const file = await readGeoIp(
      written('own.mmdb', mmdbFile([[ipv4Bits('10.1.0.0', 16), { country: { iso_code: 'NO' } }]])),
    );
    assert.equal(countriesIn(file)(parseIpAddress('10.1.2.3') ?? assert.fail()), 'NO');
    const { database, builtMs, isBuiltIn } = file;
    assert.deepEqual([database, builtMs, isBuiltIn], ['Test-Country', 1_800_000_000_000, false]);
  });

  test('a file of IPv4 knows no IPv6 address', async () => {
    const file = mmdbFile([['1', { country: { iso_code: 'DE' } }]], 4);
    const countryOf = await countriesOf(written('v4.mmdb', file));
    assert.equal(countryOf(parseIpAddress('200.0.0.1') ?? assert.fail()), 'DE');
    assert.equal(countryOf(parseIpAddress('ffff::1') ?? assert.fail()), '');
  });

  test('a broken record in a whole file is a country not known', async () => {
    const file = mmdbFile(networks);
    // A size of 29 and more bytes, of which none follow: the record would run beyond the end of the file.
    const place = file.indexOf('iso_code') - 1;
    file[place] = 0x5f;
    file.fill(0xff, place + 1, place + 4);
    const countryOf = await countriesOf(written('broken.mmdb', file));
    assert.equal(countryOf(parseIpAddress('192.0.2.77') ?? assert.fail()), '');
    assert.equal(countryOf(parseIpAddress('203.0.113.1') ?? assert.fail()), 'US');
  });

  for (const [what, file] of [
    ['text', Buffer.from('no database')],
    ['nothing', Buffer.alloc(0)],
    ['the end of a file', mmdbFile(networks).subarray(1000)],
    ['another version of addresses', mmdbFile(networks, 5 as 6)],
  ] as const) {
    test(`${what} is refused with the variable's name and the path`, async () => {
      const path = written('wrong.mmdb', file);
      await assert.rejects(readGeoIp(path), ({ message }: Error) =>
        message.startsWith(`BOURSE_GEOIP_DB must name a MaxMind DB file; ${path}: `),
      );
    });
  }

  test('a file that is not there is refused', async () => {
    await assert.rejects(readGeoIp(join(folder, 'absent.mmdb')), /BOURSE_GEOIP_DB .*absent\.mmdb.*ENOENT/);
  });
});
