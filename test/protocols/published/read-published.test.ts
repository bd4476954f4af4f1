import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { readAdsTxt } from '../../../src/protocols/adstxt/read-ads-txt.ts';
import { readDeveloperUrl } from '../../../src/protocols/appstore/read-developer-url.ts';
import { buildSellersJson } from '../../../src/protocols/sellersjson/build-sellers-json.ts';
import { readSellerIds } from '../../../src/protocols/sellersjson/read-seller-ids.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const pageBytes = 1_000_000;

/** What the heap holds that is needed still. */
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('ads.txt', () => {
  const rows: readonly (readonly [what: string, text: string, authorizes: boolean | undefined])[] = [
    ['a record', 'ssp.example, a1, DIRECT', true],
    ['with the ID of the certification authority', 'ssp.example,a1,RESELLER,f08c47fec0942fa0', true],
    ['a domain in capitals', 'SSP.example, a1, direct', true],
    ['a comment behind it', 'ssp.example, a1, DIRECT # banner', true],
    ['an extension behind it', 'ssp.example, a1, DIRECT;x=1', true],
    ['among other lines', '#\r\ncontact=ops@news.example\rssp.example, a1, DIRECT\r\n', true],
    ['behind a byte order mark', '\ufeffssp.example, a1, DIRECT', true],
    ['tabs', '\tssp.example\t,\ta1\t,\tDIRECT\t', true],
    ['another account', 'ssp.example, a2, DIRECT', false],
    ['an account in capitals is another', 'ssp.example, A1, DIRECT', false],
    ['another system', 'ads.ssp.example, a1, DIRECT', false],
    ['nobody, by the placeholder', 'placeholder.example.com, placeholder, DIRECT, placeholder', false],
    ['a record in a comment', '# ssp.example, a1, DIRECT\nother.example, o9, DIRECT', false],
    ['a relation that there is not', 'ssp.example, a1, BOTH', undefined],
    ['no account', 'ssp.example, , DIRECT', undefined],
    ['no relation', 'ssp.example, a1', undefined],
    ['nothing', '', undefined],
    ['variables alone', 'contact=ops@news.example', undefined],
    ['a page', ' <!doctype html>\nssp.example, a1, DIRECT', undefined],
  ];
  for (const [what, text, authorizes] of rows) {
    test(`${what}: ${authorizes ?? 'no declaration'}`, () => {
      assert.equal(readAdsTxt(text)?.authorizes('ssp.example', 'a1'), authorizes);
    });
  }

  test('an account is not a part of its system, nor the other way round', () => {
    const file = readAdsTxt('ssp.example\ta, b, DIRECT') ?? assert.fail();
    assert.equal(file.authorizes('ssp.example\ta', 'b'), true);
    assert.equal(file.authorizes('ssp.example', 'a\tb'), false);
  });

  test('names the subdomains that have files of their own', () => {
    const subdomains = readAdsTxt(
      'subdomain=Blog.news.example\nSUBDOMAIN = shop.news.example # new',
    )?.subdomains;
    assert.deepEqual([...(subdomains ?? [])], ['blog.news.example', 'shop.news.example']);
  });

  test('any text is read, and quickly', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readAdsTxt(text)));
    for (const part of [' ', ',', '#', 'a,', '=', 'subdomain =', 'a b']) readAdsTxt(part.repeat(500_000));
    // Ends a line for a regular expression, and none for us.
    readAdsTxt(`${'#'.repeat(1_048_576)}\u2028`);
  });
});

describe('sellers.json', () => {
  const rows: readonly (readonly [what: string, text: string, ids: readonly string[] | undefined])[] = [
    [
      'sellers',
      '{"sellers":[{"seller_id":"a1","seller_type":"PUBLISHER"},{"seller_id":" b2 "}]}',
      ['a1', 'b2'],
    ],
    ['numbers', '{"sellers":[{"seller_id":7}]}', ['7']],
    ['what is no seller', '{"sellers":[null,7,"a1",{},{"seller_id":{}}]}', []],
    ['none', '{"sellers":[]}', []],
    ['no list', '{"sellers":{}}', undefined],
    ['no object', 'null', undefined],
    ['no JSON', '<html>', undefined],
  ];
  for (const [what, text, ids] of rows) {
    test(what, () => {
      const found = readSellerIds(text);
      assert.deepEqual(found && [...found], ids);
    });
  }

  test('our own file is read as it was built', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[\w-]{1,20}$/)), (ids) => {
        const sellers = ids.map((id) => ({ id, name: id, domain: '', type: 'BOTH' as const }));
        assert.deepEqual([...(readSellerIds(buildSellersJson(sellers)) ?? [])], ids);
      }),
    );
  });
});

describe("an app's page in its store", () => {
  const meta = (content: string) => `<meta name="appstore:developer_url" content="${content}">`;
  const rows: readonly (readonly [what: string, html: string, url: string])[] = [
    [
      'names the developer',
      `<html><head>${meta('https://studio.example/a?b=1&amp;c')}`,
      'https://studio.example/a?b=1&c',
    ],
    [
      'in any order and case',
      "<META content=' studio.example ' NAME=appstore:developer_url />",
      'studio.example',
    ],
    ['the first counts', meta('one.example') + meta('two.example'), 'one.example'],
    ['what the page shows does not count', `<head></head><body>${meta('evil.example')}`, ''],
    ['a script does not count', `<script>"${meta('evil.example')}"</script>`, ''],
    ['another name', '<meta name="developer_url" content="x.example">', ''],
    ['no content', '<meta name="appstore:developer_url">', ''],
    ['nothing', '', ''],
  ];
  for (const [what, html, url] of rows) test(what, () => assert.equal(readDeveloperUrl(html), url));

  test('any text is read', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readDeveloperUrl(text)));
  });

  test('what is read keeps no page in memory', () => {
    const pages = 50;
    const page = (number: number) =>
      Buffer.from(meta(`https://studio.example/${number}`) + '<body>'.padEnd(pageBytes, 'x')).toString();
    const before = heapBytes();
    const urls = Array.from({ length: pages }, (_, number) => readDeveloperUrl(page(number)));
    const held = heapBytes() - before;
    assert.equal(urls.at(-1), 'https://studio.example/49');
    assert.ok(held < pageBytes, `${pages} URLs hold ${held} bytes`);
  });
});
