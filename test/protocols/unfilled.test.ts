import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isUnfilled, maySayNothing, saysNothing } from '../../src/protocols/unfilled.ts';
import { seeded } from '../support/seed.ts';
import { assertGrowsEvenly } from '../support/work-bound.ts';

/** Macros of ad servers, players and templates, each unfilled. */
const unfilledMacros: readonly string[] = [
  '[PAGE_URL]', '[page url]', '[[PAGE_URL]]', '[Page.Url]', '[INSERT_PAGE_URL]', '[object Object]',
  '%%PATTERN:url%%', '%%DEVICE%%', '%%ADVERTISING_IDENTIFIER_PLAIN%%', '%%REFERRER_URL_ESC%%', '%PAGE_URL%', '%ip%',
  '{window.location.href}', '{site_url}', '{{page.url}}', '{{ page.url }}', '{{{url}}}', '{%url%}',
  "\x24{PAGE_URL}", "\x24{GDPR_CONSENT_755}", '$(url)', '$PAGE_URL$', '$$PAGE_URL$$', '#{url}', '@{url}', '%{url}',
  '__PAGE_URL__', '__OS__', '#PAGE_URL#', '##PAGE_URL##', '@@PAGE_URL@@', '*|URL|*',
  '<PAGE_URL>', '<%= url %>', '<?= $url ?>', '%eurl!', '%pdomain=!;', ' [PAGE_URL] ',
  'https://[DOMAIN]/', 'http://%%PATTERN:url%%', '//{domain}', 'https://{{url}}', "\x24{{ url }}", '#{{url}}',
]; // biome-ignore format: a table

const values: readonly string[] = [
  '', 'a', 'https://example.com/?x=[CACHEBUSTER]', 'https://example.com/{id}', 'x[PAGE_URL]', '[PAGE_URL]x',
  'https://example.com/%5BCACHEBUSTER%5D', '[2001:db8::1]', '[fe80::1]', '[::ffff:192.0.2.1]', '[]', '{}',
  '100%', '50% off', '%ab%', '%', '%%', '__', '____', '_a_', '#', '##', '#1', '#news', '@', '$', '$5', '$5$', '{a b}',
  '<', '<3', 'Mozilla/5.0 (X11; Linux x64) [FBAN/FBIOS]', '[a] [b]', '00000000-0000-0000-0000-000000000000',
  'https://[2001:db8::1]/', 'https://', 'https://example.com/', '{6D809377-6AF0-444B-8957-A3773F02200E}',
  '{"a":"b"}', '["a"]', '[1, 2]', '[0]', 'https://[DOMAIN]/a',
]; // biome-ignore format: a table

describe('whole values that are macros', () => {
  for (const value of unfilledMacros) {
    test(value, () => {
      assert.equal(isUnfilled(value), true);
      assert.equal(isUnfilled(encodeURIComponent(value)), true, 'encoded');
      assert.equal(isUnfilled(encodeURIComponent(encodeURIComponent(value.trim()))), true, 'encoded twice');
      assert.equal(isUnfilled(`https://example.com/?x=${value}`), false, 'with something before it');
    });
  }
});

describe('whole values that are none', () => {
  for (const value of values) test(value, () => assert.equal(isUnfilled(value), false));
});

test('what says that nothing is known', () => {
  const nothing = [
    '-1',
    '-2',
    '0',
    'null',
    'undefined',
    'NULL',
    '(null)',
    'nil',
    'NaN',
    'N/A',
    'unknown',
    'Unknown',
    '(not set)',
    '00000000-0000-0000-0000-000000000000',
    '0'.repeat(32),
    '{00000000-0000-0000-0000-000000000000}',
  ];
  for (const value of nothing) assert.equal(saysNothing(value), true, value);
  for (const value of [
    '1',
    '-3',
    '00',
    '',
    'none',
    'NA',
    'unknown.example',
    '00000000-0000-0000-0000-000000000001',
  ])
    assert.equal(saysNothing(value), false, value);
});

test('what says nothing is recognized by its beginning', () => {
  const word = fc.constantFrom(
    ...unfilledMacros,
    '-1',
    '0',
    'NULL',
    '(null)',
    'unknown',
    'N/A',
    '0'.repeat(32),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2 }), word, (before, value) => {
      const whole = before + value;
      assert.ok(maySayNothing(value) && (maySayNothing(whole) || !saysNothing(whole)));
    }),
    seeded(5000),
  );
  for (const value of ['DE', 'Mozilla/5.0', '4711', '', 0, 5, true])
    assert.equal(maySayNothing(value), false);
});

test('reading never throws, and its work grows with the value', () => {
  for (const part of ['[', '{', '${', '%5B', '%25', '@@', '#', '<', '%%'])
    assertGrowsEvenly(() => isUnfilled(part.repeat(100_000)), part);
  const sign = fc.string({ unit: fc.constantFrom(...'[]{}$#@%_<>*|!=;aA0. %5B%25'), maxLength: 512 });
  fc.assert(
    fc.property(sign, (value) => {
      isUnfilled(value);
    }),
    seeded(2000),
  );
});
