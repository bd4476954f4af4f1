import assert from 'node:assert/strict';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { suite, test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import {
  applicationLines,
  domainLines,
  ipLines,
  keywordLines,
  type LineCodec,
} from '../../src/fields/line-codecs.ts';
import { seeded } from '../support/seed.ts';

/** Lines and the form that each is stored in. */
type Stored = Readonly<Record<string, string>>;

function takes(codec: LineCodec, rows: Stored): void {
  for (const [line, stored] of Object.entries(rows)) {
    test(`${JSON.stringify(line).slice(0, 80)} is stored as ${stored.slice(0, 80)}`, () => {
      assert.equal(codec.clean(line), stored);
    });
  }
}

function refuses(codec: LineCodec, lines: readonly string[]): void {
  for (const line of lines) {
    test(`${JSON.stringify(line).slice(0, 80)} ${codec.wants.slice(0, 40)}`, () => {
      assert.equal(codec.clean(line), undefined);
    });
  }
}

/** The same text with one character put in, taken out or replaced: nearly right, most often. */
function nearly(right: fc.Arbitrary<string>, characters: string): fc.Arbitrary<string> {
  const place = fc.record({ at: fc.nat({ max: 40 }), gone: fc.nat({ max: 1 }) });
  const change = fc.constantFrom('', ...characters);
  return fc.tuple(right, place, change).map(([text, { at, gone }, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + gone);
  });
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV6().map((text) => text.toUpperCase()),
);
const nearAddress = fc.oneof(
  address,
  nearly(address, '0123456789abcdefgx:.% '),
  fc.ipV4Extended(),
  fc.ipV4Extended().map((text) => `::ffff:${text}`),
  fc.string({ unit: fc.constantFrom(...'0123456789af:.'), maxLength: 24, size: 'max' }),
);

/** What a line may be: right ones of every kind, nearly right ones, and anything. */
const anyLine = fc
  .oneof(
    nearAddress,
    fc
      .tuple(address, fc.constantFrom('/', '-', ' - '), fc.oneof(address, fc.nat({ max: 140 }).map(String)))
      .map((parts) => parts.join('')),
    nearly(fc.domain(), 'A_-. ü例'),
    fc.domain().map((text) => text.toUpperCase()),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
  )
  .map((text) => text.replaceAll('\n', ' ').trim())
  .filter((text) => text !== '' && !text.startsWith('#'));

for (const [name, codec] of Object.entries({ domainLines, applicationLines, ipLines, keywordLines })) {
  test(`${name}: what is stored is stored as itself, is one trimmed line, and is counted once`, () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const stored = codec.clean(line);
        if (stored === undefined) return;
        assert.equal(codec.clean(stored), stored);
        assert.equal(stored.trim(), stored);
        assert.doesNotMatch(stored, /^$|^#|\n/);
        assert.ok(['entries', 'ranges'].includes(codec.part(stored)));
      }),
      seeded(3000),
    );
  });

  test(`${name}: its example is right, and stored as it is`, () => {
    assert.equal(codec.clean(codec.example), codec.example);
  });
}

suite('IP lines', () => {
  /** Nothing of the kind may be a range here: those have properties of their own. */
  const single = nearAddress.map((text) => text.trim()).filter((text) => text !== '' && !/[/-]/.test(text));

  test('an address is one by node:net, and is without a zone', () => {
    fc.assert(
      fc.property(single, (text) => {
        const expected = isIP(text) > 0 && !text.includes('%') ? text.toLowerCase() : undefined;
        assert.equal(ipLines.clean(text), expected);
        if (expected !== undefined) assert.equal(ipLines.part(expected), 'entries');
      }),
      seeded(10_000),
    );
  });

  test('a CIDR range has an address and as many bits as its kind has at most', () => {
    fc.assert(
      fc.property(single, fc.integer({ min: -2, max: 140 }), (text, bits) => {
        const most = isIPv6(text) ? 128 : 32;
        const isRight = isIP(text) > 0 && !text.includes('%') && bits >= 0 && bits <= most;
        const line = `${text}/${bits}`;
        assert.equal(ipLines.clean(line), isRight ? line.toLowerCase() : undefined);
        if (isRight) assert.equal(ipLines.part(line), 'ranges');
      }),
      seeded(5000),
    );
  });

  test('a range from a to b is one that a block list of node:net takes', () => {
    const family = (text: string) => (isIPv6(text) ? 'ipv6' : 'ipv4');
    const isTaken = (from: string, to: string) => {
      if (family(from) !== family(to)) return false;
      try {
        new BlockList().addRange(from, to, family(from));
        return true;
      } catch {
        return false;
      }
    };
    const near = fc.tuple(fc.ipV4(), fc.nat({ max: 255 }));
    const pair = fc.oneof(
      fc.tuple(address, address),
      near.map(([from, last]): [string, string] => [from, from.replace(/\d+$/, String(last))]),
    );
    fc.assert(
      fc.property(pair, fc.constantFrom('-', ' - ', '- ', '\t-'), ([from, to], dash) => {
        const expected = isTaken(from, to) ? `${from}-${to}`.toLowerCase() : undefined;
        assert.equal(ipLines.clean(`${from}${dash}${to}`), expected);
        if (expected !== undefined) assert.equal(ipLines.part(expected), 'ranges');
      }),
      seeded(5000),
    );
  });

  takes(ipLines, {
    '192.0.2.1': '192.0.2.1',
    '0.0.0.0': '0.0.0.0',
    '255.255.255.255': '255.255.255.255',
    '::': '::',
    '2001:DB8::1': '2001:db8::1',
    '::ffff:192.0.2.1': '::ffff:192.0.2.1',
    '64:ff9b::192.0.2.33': '64:ff9b::192.0.2.33',
    '10.0.0.0/8': '10.0.0.0/8',
    '0.0.0.0/0': '0.0.0.0/0',
    '2001:DB8::/32': '2001:db8::/32',
    '192.0.2.1 - 192.0.2.9': '192.0.2.1-192.0.2.9',
    '192.0.2.1-192.0.2.1': '192.0.2.1-192.0.2.1',
    '9.0.0.0-10.0.0.0': '9.0.0.0-10.0.0.0',
    '::A-::B': '::a-::b',
    '::192.0.2.1-::1:0:0': '::192.0.2.1-::1:0:0',
  });

  refuses(ipLines, [
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4.',
    '.1.2.3.4',
    '1..3.4',
    '256.1.1.1',
    '01.2.3.4',
    '0x1.2.3.4',
    '1.2.3.4:80',
    '127.1',
    '3232235777',
    '1.2.3.4a',
    '\u0661.2.3.4',
    '\uff11.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '12345::',
    'g::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '[::1]',
    'fe80::1%eth0',
    '::ffff:1.2.3',
    '::ffff:01.2.3.4',
    '::ffff:0x1.2.3.4',
    '::ffff:256.1.1.1',
    '1:2:3:4:5:6:7:1.2.3.4',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/a',
    '10.0.0.0 /8',
    '::/129',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/1e1',
    '-',
    '1.2.3.4-',
    '-1.2.3.4',
    '1.2.3.4-1.2.3.3',
    '10.0.0.0-9.0.0.0',
    '1.2.3.4-::1',
    '::2-::1',
    '::10:0-::0.0.0.0',
    '1.2.3.4-1.2.3.5-1.2.3.6',
    '1.2.3.0/24-1.2.4.0/24',
    '1.2.3.4-9',
    'localhost',
    'example.com',
  ]);
});

/** Domains beyond ASCII, or in another case, and their ASCII form by IDNA 2008 with the mapping of UTS 46. */
const internationalized: Stored = {
  'münchen.de': 'xn--mnchen-3ya.de',
  'MÜNCHEN.DE': 'xn--mnchen-3ya.de',
  'bu\u0308cher.example': 'xn--bcher-kva.example',
  'faß.de': 'xn--fa-hia.de',
  'βόλος.com': 'xn--nxasmm1c.com',
  'ΒΌΛΟΣ.com': 'xn--nxasmq6b.com',
  'İstanbul.com': 'xn--istanbul-o0e.com',
  'пример.рф': 'xn--e1afmkfd.xn--p1ai',
  '例え.テスト': 'xn--r8jz45g.xn--zckzah',
  '例え。テスト': 'xn--r8jz45g.xn--zckzah',
  '中国.中国': 'xn--fiqs8s.xn--fiqs8s',
  'موقع.وزارة-الاتصالات.مصر': 'xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c',
  'نامه\u200cای.com': 'xn--mgba3gch31f060k.com',
  '☃.net': 'xn--n3h.net',
  '💩.la': 'xn--ls8h.la',
  '\uff45xample\uff0ecom': 'example.com',
  '\u2102.com': 'c.com',
  'a\u00adb.com': 'ab.com',
  '_dmarc.ü.com': '_dmarc.xn--tda.com',
};

suite('domain lines', () => {
  takes(domainLines, {
    ...internationalized,
    'example.com': 'example.com',
    'Example.COM': 'example.com',
    'a.b.c.d.e': 'a.b.c.d.e',
    'xn--mnchen-3ya.de': 'xn--mnchen-3ya.de',
    'XN--MNCHEN-3YA.DE': 'xn--mnchen-3ya.de',
    '1.example.com': '1.example.com',
    '_sip._tcp.example.com': '_sip._tcp.example.com',
    'a--b.example': 'a--b.example',
    [`${'a'.repeat(63)}.com`]: `${'a'.repeat(63)}.com`,
    [`${'a.'.repeat(125)}com`]: `${'a.'.repeat(125)}com`,
  });

  refuses(domainLines, [
    'example',
    'localhost',
    'ü',
    '.com',
    'example.com.',
    '.example.com',
    'a..com',
    'ü..com',
    'ü.com.',
    'ü.com。',
    '-a.com',
    'a-.com',
    'a.-com',
    'a.com-',
    'a b.com',
    'ü .com',
    'a\tb.com',
    'ü.com\u3000x',
    'http://example.com',
    'example.com/',
    'ü.com/a',
    'example.com:80',
    'ü.com:80',
    'user@example.com',
    'user@ü.com',
    'ü.com?a',
    'ü.com#a',
    'ü.c%6fm',
    'ü.a\\b',
    '*.example.com',
    'a,b.com',
    'ü.com|',
    '℀.com',
    '192.0.2.1',
    '2001:db8::1',
    '[::1]',
    '192.0.2.0/24',
    '\uff11.2.3.4',
    'ü.1',
    'example.1',
    'example.0x1',
    '123456789',
    'id123456789',
    `${'a'.repeat(64)}.com`,
    `${'ü'.repeat(60)}.com`,
    `${'a.'.repeat(126)}com`,
    'xn--\u0301a.com',
    '\u0301a.com',
    'a\u200db.com',
  ]);

  test('a domain is stored in lower case', () => {
    fc.assert(
      fc.property(fc.domain(), fc.func(fc.boolean()), (domain, isUpper) => {
        const sent = Array.from(domain, (letter, at) => (isUpper(at) ? letter.toUpperCase() : letter)).join(
          '',
        );
        assert.equal(domainLines.clean(sent), domain.toLowerCase());
      }),
      seeded(1000),
    );
  });

  test('a domain and its form in Unicode are one entry', () => {
    for (const ascii of Object.values(internationalized)) {
      assert.equal(domainLines.clean(domainToUnicode(ascii)), ascii);
    }
  });

  test('a domain beyond ASCII has the ASCII form that node:url gives', () => {
    const letters = fc.constantFrom(
      ...'abzäöüßéñçøłşığæþ日本語例えテスト中国правоокλόγοςשלוםمثالहिन्दीไทย한국어',
    );
    const label = fc.string({ unit: letters, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
        const domain = labels.join('.');
        assert.equal(domainLines.clean(domain) ?? '', domainToASCII(domain));
      }),
      seeded(2000),
    );
  });

  test('every entry is counted as one', () => {
    assert.equal(domainLines.part('a-b.example'), 'entries');
  });
});

suite('application lines', () => {
  takes(applicationLines, {
    'com.Example.Game': 'com.Example.Game',
    '123456789': '123456789',
    id123456789: 'id123456789',
    'B004-_x': 'B004-_x',
    'roku:12': 'roku:12',
    ['a'.repeat(255)]: 'a'.repeat(255),
  });
  refuses(applicationLines, [
    '.a',
    '-a',
    '_a',
    'a b',
    'a/b',
    'a,b',
    'ä.b',
    'a\tb',
    'a?',
    '{a}',
    'a'.repeat(256),
  ]);
});

suite('keyword lines', () => {
  takes(keywordLines, {
    'two words': 'two words',
    'Großbuchstaben BLEIBEN': 'Großbuchstaben BLEIBEN',
    'a#b, "c"; <d>': 'a#b, "c"; <d>',
    ['a'.repeat(255)]: 'a'.repeat(255),
    ['😀'.repeat(255)]: '😀'.repeat(255),
  });
  refuses(keywordLines, ['a'.repeat(256), '😀'.repeat(256), `${'😀'.repeat(254)}ab`, 'a'.repeat(511)]);
});
