import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iabCategories, isIabCategory } from '../../src/reference/iab-categories.ts';
import { specifiedTitles } from './specified-titles.ts';

/** Subcategories per category, IAB1 to IAB26, as OpenRTB 2.5 section 5.1 counts them. */
const sizes = [7, 23, 12, 11, 15, 9, 45, 18, 31, 9, 5, 3, 12, 8, 10, 7, 44, 6, 36, 27, 3, 4, 10, 0, 7, 4];

const subcategories = iabCategories.flatMap((category) => category.Subcategories);

test('26 categories, 366 subcategories, each name once', () => {
  assert.equal(iabCategories.length, 26);
  assert.equal(subcategories.length, 366);
  assert.equal(new Set([...iabCategories, ...subcategories].map(({ Name }) => Name)).size, 392);
});

test('names are numbered without gap, each below its own category', () => {
  iabCategories.forEach((category, index) => {
    assert.equal(category.Name, `IAB${index + 1}`);
    assert.equal(category.Subcategories.length, sizes[index], category.Name);
    category.Subcategories.forEach(({ Name }, below) => {
      assert.equal(Name, `${category.Name}-${below + 1}`);
    });
  });
});

test('the titles of the specification', () => {
  assert.deepEqual(
    iabCategories.slice(0, 20).map(({ Title }) => Title),
    specifiedTitles,
  );
});

test('titles are text, and unique within their category', () => {
  for (const { Subcategories, Title } of iabCategories) {
    for (const title of [Title, ...Subcategories.map((each) => each.Title)]) {
      assert.match(title, /^[A-Z0-9][ -~]+$/);
      assert.equal(title, title.trim());
    }
    assert.equal(new Set(Subcategories.map((each) => each.Title)).size, Subcategories.length);
  }
});

const titled: readonly (readonly [name: string, title: string])[] = [
  ['IAB2-15', 'Motorcycles'],
  ['IAB5-1', '7-12 Education'],
  ['IAB7-38', 'Senior Health'],
  ['IAB9-30', 'Video & Computer Games'],
  ['IAB10-1', 'Appliances'],
  ['IAB17-44', 'World Soccer'],
  ['IAB26-4', 'Copyright Infringement'],
];

for (const [name, title] of titled) {
  test(`${name} is ${title}`, () => {
    assert.equal(subcategories.find(({ Name }) => Name === name)?.Title, title);
    assert.ok(isIabCategory(name));
  });
}

for (const name of [
  'IAB0',
  'IAB27',
  'IAB1-0',
  'IAB1-8',
  'IAB24-1',
  'iab1',
  'IAB01',
  'IAB1 ',
  '',
  '__proto__',
]) {
  test(`'${name}' is no category`, () => assert.equal(isIabCategory(name), false));
}
