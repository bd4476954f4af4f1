import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlUrls } from '../../../src/protocols/html/html-urls.ts';
import { assertGrowsEvenly } from '../../support/work-bound.ts';

const cases: readonly (readonly [html: string, found: readonly string[]])[] = [
  ['<img src="https://a/?x=1&amp;y=2">', ['load https://a/?x=1&y=2']],
  ["<IMG SRC = '//a/b'>", ['load //a/b']],
  ['<script src=https://a/s></script>', ['load https://a/s']],
  ['<a href="https://a/c" ping="https://a/p">x</a>', ['click https://a/c', 'load https://a/p']],
  [
    '<link href="https://a/l"><p style="background:url(https://a/b)">',
    ['load https://a/l', 'load https://a/b'],
  ],
  ['<a href="/own">x</a><img src="data:,">', []],
  ['<img src="https://a/1"><img src="https://a/1">', ['load https://a/1']],
  ['<img src="https://a', []],
];
for (const [html, wanted] of cases) {
  test(`finds in ${html}`, () => {
    assert.deepEqual(
      htmlUrls(html).map(({ event, url }) => `${event} ${url}`),
      wanted,
    );
  });
}

test('the work of reading hostile markup grows with its length', () => {
  for (const unit of ['<a ', 'src=', 'src="', 'url(', '<a href=" ', 'data=    ']) {
    assertGrowsEvenly(() => htmlUrls(unit.repeat(100_000)), unit);
  }
});
