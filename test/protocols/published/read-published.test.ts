import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { readAdsTxt } from '../../../src/protocols/adstxt/read-ads-txt.ts';
import { readDeveloperUrl } from '../../../src/protocols/appstore/read-developer-url.ts';
import { buildSellersJson } from '../../../src/protocols/sellersjson/build-sellers-json.ts';
import { readSellerIds } from '../../../src/protocols/sellersjson/read-seller-ids.ts';
import { createTextSet } from '../../../src/protocols/text-set.ts';

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

  test('names the subdomains that have files of their own, and partners', () => {
    const file = readAdsTxt(
      'subdomain=Blog.news.example\nSUBDOMAIN = shop.news.example # new\nInventoryPartnerDomain=p.example;x=1',
    );
    const told = ['blog.news.example', 'shop.news.example', 'p.example', 'x.example'].map((domain) => [
      file?.delegates(domain),
      file?.sharesWith(domain),
    ]);
    assert.deepEqual(told, [
      [true, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  const businesses: readonly (readonly [lines: string, owner: string, managers: readonly string[]])[] = [
    ['', '', []],
    ['OWNERDOMAIN=Owner.example', 'owner.example', []],
    ['ownerdomain=one.example\nownerdomain=two.example', 'one.example', []],
    ['managerdomain=m.example', '', ['m.example']],
    ['managerdomain=m.example,de', '', ['m.example, DE']],
    [
      'managerdomain=m.example\nmanagerdomain=n.example, DE\nmanagerdomain=o.example, DE\nmanagerdomain=p.example',
      '',
      ['m.example', 'n.example, DE'],
    ],
    ['managerdomain=m.example, Germany', '', []],
    ['ownerdomain', '', []],
    ['__proto__=x.example\nconstructor=x.example', '', []],
  ];
  for (const [lines, owner, managers] of businesses) {
    test(`says who is behind it: ${JSON.stringify(lines)}`, () => {
      const file = readAdsTxt(`ssp.example, a1, DIRECT\n${lines}`) ?? assert.fail();
      assert.deepEqual([file.ownerDomain, file.managerDomains], [owner, managers]);
    });
  }

  test('order, comments, spaces, repetition and the case of all but accounts change nothing', () => {
    const name = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const space = fc.constantFrom('', ' ', '\t', '  ');
    const isUpper = fc.boolean();
    const seller = fc.record({ system: name, account: name, space, isUpper });
    const line = seller.map(({ system, account, space: gap, isUpper: upper }) => {
      const parts = [upper ? system.toUpperCase() : system, account, upper ? 'DIRECT' : 'reseller'];
      return { system, account, text: parts.map((part) => gap + part + gap).join(',') };
    });
    const noise = fc.constantFrom('', '# a, b, DIRECT', 'nonsense', 'contact=x', 'a,,DIRECT', '=');
    const end = fc.constantFrom('\n', '\r\n', '\r', ' # c\n', ';x=1\n', ',f00d\n');
    const rows = fc.array(fc.tuple(line, noise, end));
    const orders = rows.chain((told) =>
      fc.tuple(fc.constant(told), fc.shuffledSubarray(told, { minLength: told.length })),
    );
    fc.assert(
      fc.property(orders, fc.constantFrom('', '\ufeff'), ([told, order], mark) => {
        const text = order.map(([one, noisy, ending]) => `${noisy}\n${one.text}${ending}`).join('');
        const file = readAdsTxt(mark + text);
        const listed = new Set(told.map(([{ system, account }]) => `${system} ${account}`));
        for (const [{ system }] of told)
          for (const [{ account }] of told)
            assert.equal(file?.authorizes(system, account), listed.has(`${system} ${account}`));
      }),
    );
  });

  test('no name leads from one kind of line to another', () => {
    const part = fc.stringMatching(/^[a-z,=\n; ]{0,6}$/);
    const file =
      readAdsTxt('a, b, DIRECT\nc, d, DIRECT\nsubdomain=e\ninventorypartnerdomain=f') ?? assert.fail();
    fc.assert(
      fc.property(part, part, (system, account) => {
        const isListed = ['a,b', 'c,d'].includes(`${system.trim()},${account.trim()}`);
        assert.equal(file.authorizes(system, account), isListed);
        assert.equal(file.delegates(system), system === 'e');
        assert.equal(file.sharesWith(system), system === 'f');
      }),
    );
  });

  test('what is read keeps no file in memory', () => {
    const said =
      'an-advertising-system.example, account-number-1, direct\nownerdomain=the-owner-of-all.example\n';
    const text = (number: number) =>
      Buffer.from(`${said}managerdomain=the-manager-${number}.example;x=`.padEnd(pageBytes, 'x')).toString();
    const before = heapBytes();
    const files = Array.from({ length: 50 }, (_, number) => readAdsTxt(text(number)));
    const held = heapBytes() - before;
    assert.deepEqual(files.at(-1)?.managerDomains, ['the-manager-49.example']);
    assert.ok(held < pageBytes, `${files.length} files hold ${held} bytes`);
  });

  test('any text is read, and quickly', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readAdsTxt(text)));
    for (const part of [' ', ',', '#', 'a,', '=', 'subdomain =', 'a b']) readAdsTxt(part.repeat(500_000));
    // Ends a line for a regular expression, and none for us.
    readAdsTxt(`${'#'.repeat(1_048_576)}\u2028`);
  });
});

describe('a set of texts in one string', () => {
  test('has what a set has, but for texts of several lines', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom('', 'a', 'ab', 'b', 'a\n', '\n', '__proto__'),
    );
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (texts, others) => {
        const { has } = createTextSet(texts);
        for (const one of [...texts, ...others])
          assert.equal(
            has(one),
            texts.includes(one) && one !== '' && !one.includes('\n'),
            JSON.stringify(one),
          );
      }),
    );
  });

  test('answers at once, however many there are', () => {
    const { has } = createTextSet(Array.from({ length: 300_000 }, (_, number) => `seller-${number}`));
    const startMs = performance.now();
    for (let number = 0; number < 10_000; number += 1) assert.equal(has(`seller-${number}x`), false);
    assert.ok(has('seller-299999'));
    assert.ok(performance.now() - startMs < 2_000);
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
    ['what is no seller', '{"sellers":[null,7,"a1",{},{"seller_id":{}},{"seller_id":"b2\\nc3"}]}', []],
    ['none', '{"sellers":[]}', []],
    ['no list', '{"sellers":{}}', undefined],
    ['no object', 'null', undefined],
    ['no JSON', '<html>', undefined],
  ];
  for (const [what, text, ids] of rows) {
    test(what, () => {
      const found = readSellerIds(text);
      const asked = ['a1', 'b2', '7', 'c3', '__proto__'];
      assert.deepEqual(found && asked.filter(found.has), ids);
    });
  }

  test('our own file is read as it was built', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[\w-]{1,20}$/)), (ids) => {
        const sellers = ids.map((id) => ({ id, name: id, domain: '', type: 'BOTH' as const }));
        const found = readSellerIds(buildSellersJson(sellers));
        assert.deepEqual(
          ids.filter((id) => !found?.has(id)),
          [],
        );
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
