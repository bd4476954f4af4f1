import assert from 'node:assert/strict';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type FormatName, formats, isStorableText, macrosIn } from '../../src/fields/formats.ts';
import { seeded } from '../support/seed.ts';

/** Values of each format, and values that are none. `""` is not here: it clears a field, and is asked of no format. */
const table: Readonly<
  Record<FormatName, { readonly good: readonly string[]; readonly bad: readonly string[] }>
> = {
  'week-hours': {
    good: ['1'.repeat(168), '0'.repeat(168), '01'.repeat(84)],
    bad: ['1'.repeat(167), '1'.repeat(169), '2'.repeat(168), 'Mon–Fri 08–20', ` ${'1'.repeat(167)}`],
  },
  currency: {
    good: ['USD', 'EUR', 'JPY', 'XOF'],
    bad: ['eur', 'EURO', 'EU', 'XAU', 'XXX', 'ZZZ', '€', ' EUR'],
  },
  url: {
    good: [
      'https://example.com',
      'http://example.com/',
      'HTTPS://EXAMPLE.COM/A',
      'https://user@example.com:8443/a?b=c#d',
      'https://192.0.2.1/',
      'http://[2001:db8::1]:80/',
      'http://localhost:3000/x',
      'https://münchen.example/ä?ö',
      'https://example.com?a',
      'https://example.com#a',
      'https://example.com/%20',
      'https://example.com/a|b"c',
      'https://example.com/{ip}?ua={ua}',
      'https://{host}/',
      'https://{region}.example.com/',
      'https://a.example/{}',
    ],
    bad: [
      'example.com',
      '/path',
      '//example.com',
      '?a',
      'https',
      'https:',
      'https:/',
      'https://',
      'https:example.com',
      'https:/example.com',
      'https:///path',
      'https:////example.com',
      'https://\\example.com',
      'https://a\\b.example',
      'https://?a',
      'https://#a',
      'https://:80',
      'https://@/',
      'https://%',
      'https://a%00.example',
      'https://a.example:99999',
      'https://a b.example',
      'https://a.example/ b',
      ' https://a.example',
      'https://a.example ',
      'https://a.example/\n',
      'https://a.example/\u00a0',
      'https://a.example/\u0000',
      'https://a.example/\u0085',
      'https://1.2.3.256/',
      'ftp://a.example/',
      'ws://a.example/',
      'javascript:alert(1)',
      'data:,a',
      'file:///a',
      'mailto:a@b.example',
      'https://a.example:{port}/',
      'xhttps://a.example',
      'https//a.example',
    ],
  },
  mail: {
    good: [
      'a@b.example',
      'admin@localhost',
      'a.b+c@x-y.example',
      "o'neil@example.com",
      'a_b-c@1.example',
      'A@B.EXAMPLE',
      'ü@münchen.example',
      '用户@例え.テスト',
      `${'a'.repeat(64)}@b.example`,
      'a!#$%&*/=?^`{|}~@b.example',
    ],
    bad: [
      'a',
      '@',
      'a@',
      '@b.example',
      'a@b@c.example',
      'a b@c.example',
      'a@b c.example',
      'a@b..example',
      'a@.example',
      'a@b.',
      'Ada <a@b.example>',
      'a@b.example, c@d.example',
      'a@b.example\n',
      '\na@b.example',
      'a@b.example ',
      'a\u0000@b',
      '"a b"@c.example',
      'a@[192.0.2.1]',
      'a@b.example;',
      'mailto:a@b.example',
      `${'a'.repeat(65)}@b.example`,
      `a@${'b'.repeat(254)}`,
      'a@b/c',
    ],
  },
  domain: {
    good: ['example.com', 'Example.COM', 'münchen.example', 'xn--mnchen-3ya.de', 'a.b.c.example'],
    bad: [
      'example',
      'https://example.com',
      'example.com/',
      '192.0.2.1',
      ' example.com',
      'example.com.',
      'a b.example',
    ],
  },
  day: {
    good: ['2027-01-31', '2028-02-29', '2000-02-29', '1970-01-01', '9999-12-31'],
    bad: [
      '2027-02-29',
      '1900-02-29',
      '2027-06-31',
      '2027-00-10',
      '2027-13-01',
      '2027-01-00',
      '2027-01-32',
      '0',
      'today',
      '2027-1-1',
      '27-01-01',
      '02027-01-01',
      '+002027-01-01',
      '2027/01/31',
      '31.01.2027',
      '20270131',
      '2027-01',
      '2027-01-31T00:00:00Z',
      ' 2027-01-31',
      '2027-01-31 ',
      '2027-01-31\n',
      '٢٠٢٧-01-31',
      '2027-W01-1',
      '-001-01-01',
    ],
  },
  time: {
    good: [
      '2027-01-31',
      '2027-01-31T12:00',
      '2027-01-31T12:00:30',
      '2027-01-31T12:00Z',
      '2027-01-31T12:00:00+02:00',
    ],
    bad: [
      '2027-02-30',
      '2027-02-30T12:00Z',
      '2027-01-31T25:00',
      '20270131T1200',
      '12:00',
      '2027-01-31 12:00',
      'today',
    ],
  },
  moment: {
    good: ['2027-01-31', '2027-01-31T12:00Z', '2027-01-31T12:00:00+02:00', '2027-01-31T12:00:00.5Z'],
    bad: ['2027-02-30', '2027-01-31T12:00', '2027-01-31 12:00', '2027-01-31T25:00Z', 'tomorrow'],
  },
  'time-zone': {
    good: ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'],
    bad: ['+02:00', 'Berlin', 'Europe/Moon', ' UTC'],
  },
  country: {
    good: ['US', 'DE', 'XK', 'A1', 'EU'],
    bad: ['us', 'USA', 'ZZ', 'U', ' US', 'toString', '__proto__'],
  },
  'iab-category': {
    good: ['IAB1', 'IAB26', 'IAB9-30', 'IAB1-1'],
    bad: ['IAB0', 'IAB27', 'iab1', 'IAB1-99', 'IAB', 'IAB01', 'constructor'],
  },
  'os-family': { good: ['Android', 'iOS'], bad: ['Amiga', 'android', 'toString'] },
  'browser-family': { good: ['Chrome', 'Safari'], bad: ['Lynx2', 'chrome', 'toString'] },
  'header-lines': {
    good: [
      'X-Key: 1',
      'X-Key:1',
      'X-Key:',
      'A: b: c',
      'A: b\nB: c',
      'A: b\r\nB: c\r\n',
      '\n\nA: b\n\n',
      '  A: b  ',
      'A: "b", c',
      "!#$%&'*+-.^_`|~: token",
      'A: b\tc',
      'A: é',
      'Authorization: Bearer a.b-c_d==',
    ],
    bad: [
      'A',
      'TE:',
      'no colon',
      ': b',
      ' : b',
      'A b: c',
      'A : b',
      'A(b): c',
      'Ä: b',
      'A: b\nC',
      'A: b\rB: c',
      'A: b\u0000',
      '{}',
      'A: b\u007f',
      'A: b\u0085c',
      'A: 日本',
      'A: 😀',
      'A: b\u2028c',
      '"A": b',
      'A/B: c',
    ],
  },
};

for (const [name, { good, bad }] of Object.entries(table)) {
  const { test: isRight, wants } = formats[name as FormatName];
  suite(`format ${name}`, () => {
    for (const value of good)
      test(`takes ${JSON.stringify(value).slice(0, 80)}`, () => assert.equal(isRight(value), true));
    for (const value of bad)
      test(`refuses ${JSON.stringify(value).slice(0, 80)}`, () => assert.equal(isRight(value), false));
    test('says what it wants, to stand behind a path', () =>
      assert.match(wants, /^(must be|is not an?) [\w"].*[^.]$/));
  });
}

suite('formats, by other readers of the same', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 40 });

  test('no text makes one throw', () => {
    const texts = fc.oneof(
      anything,
      fc.string({ unit: fc.constantFrom(...'ahtps:/\\?#@[]{}%. \n-0129é日') }),
    );
    fc.assert(
      fc.property(texts, (value) => {
        for (const format of Object.values(formats)) assert.equal(typeof format.test(value), 'boolean');
      }),
      seeded(5000),
    );
  });

  test('web addresses are URLs, with macros in their path and query too', () => {
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    fc.assert(
      fc.property(url, fc.constantFrom('ip', 'ua', 'app_bundle'), (value, macro) => {
        assert.ok(formats.url.test(value));
        assert.ok(formats.url.test(`${value}{${macro}}`));
      }),
      seeded(1000),
    );
  });

  test('what is taken as a URL is one of http or https, at a host', () => {
    const near = fc.string({ unit: fc.constantFrom(...'ab:/\\?#@[]%.-é日{} \t') });
    fc.assert(
      fc.property(
        fc.constantFrom('http://', 'https://', 'HTTP://', 'https:/', 'https:'),
        near,
        (scheme, rest) => {
          if (!formats.url.test(scheme + rest)) return;
          const { protocol, host } = new URL((scheme + rest).replaceAll(/\{[^{}]*\}/g, 'x'));
          assert.match(protocol, /^https?:$/);
          assert.notEqual(host, '');
          assert.match(scheme + rest, /^https?:\/\/[^/\\?#\s]\S*$/i);
        },
      ),
      seeded(10_000),
    );
  });

  test('mail addresses are mail addresses', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => assert.ok(formats.mail.test(value))),
      seeded(1000),
    );
  });

  test('a day is one of a month that has so many', () => {
    const days = (year: number, month: number) => {
      const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
      return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
    };
    const pad = (value: number, length: number) => String(value).padStart(length, '0');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.nat({ max: 14 }),
        fc.nat({ max: 33 }),
        (year, month, day) => {
          const isRight = day >= 1 && day <= days(year, month);
          assert.equal(formats.day.test(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`), isRight);
        },
      ),
      seeded(5000),
    );
  });

  test('a header is one that node:http sends', () => {
    const isSent = (name: string, value: string) => {
      try {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        return true;
      } catch {
        return false;
      }
    };
    const part = fc.string({
      unit: fc.oneof(fc.constantFrom(...'aZ09-_!~\t()/é日'), fc.string({ minLength: 1, maxLength: 1 })),
      maxLength: 6,
    });
    // Space around a line, and the colon within it, are for the format to sort out.
    const name = part.filter((text) => !text.includes(':') && text === text.trim());
    fc.assert(
      fc.property(name, part, (before, value) => {
        const line = `${before}:${value}`;
        const { test: isTaken, explain } = formats['header-lines'];
        // Node sends those of the connection, too; for us they are its own.
        const isOfConnection = Boolean(explain(line));
        assert.equal(isTaken(line), !isOfConnection && isSent(before, value.trimEnd()));
      }),
      seeded(5000),
    );
  });
});

suite('macros of a URL', () => {
  const rows: Readonly<Record<string, readonly string[]>> = {
    'https://a.example/': [],
    'https://a.example/?ip={ip}&ua={ua}': ['ip', 'ua'],
    'https://a.example/{ip}{ip}': ['ip', 'ip'],
    '{a}': ['a'],
    '{}': [''],
    '{{ip}}': ['ip'],
    '{ip': [],
    'ip}': [],
    '}{': [],
    '{a b}': ['a b'],
    '%7Bip%7D': [],
  };
  for (const [url, names] of Object.entries(rows)) {
    test(`${url} has ${JSON.stringify(names)}`, () => assert.deepEqual(macrosIn(url), names));
  }

  test('are found wherever they stand, in order', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab/?=&%é'), maxLength: 5 });
    const name = fc.stringMatching(/^[a-z_]{1,8}$/);
    fc.assert(
      fc.property(text, fc.array(fc.tuple(name, text)), (start, pieces) => {
        const url = start + pieces.map(([macro, after]) => `{${macro}}${after}`).join('');
        assert.deepEqual(
          macrosIn(url),
          pieces.map(([macro]) => macro),
        );
      }),
      seeded(1000),
    );
  });
});

test('text can be stored that comes out of UTF-8 as it went in, and has no NUL', () => {
  const units = fc.array(fc.oneof(fc.nat({ max: 0x80 }), fc.integer({ min: 0xd7f0, max: 0xe010 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      const isSame = Buffer.from(text, 'utf8').toString('utf8') === text;
      assert.equal(isStorableText(text), isSame && !codes.includes(0));
    }),
    seeded(5000),
  );
  for (const text of ['', 'a', '😀', '\uFEFF', '\uFFFF', '\u0001', 'e\u0301'])
    assert.ok(isStorableText(text));
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00', '\udc00\ud800', 'a\ud83d'])
    assert.ok(!isStorableText(text));
});
