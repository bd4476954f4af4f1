import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ConsoleRoom, openConsoleRoom, type Visitor } from './console-room.ts';
import { addManyTags } from './filled-room.ts';
import { windowSizes } from './screens.ts';
import { violations } from './violations.ts';

const count = 10_000;
/** More would be drawn for nobody. */
const drawnMax = 100;
let room: ConsoleRoom;
let visitor: Visitor;
let page: Page;
before(async () => {
  room = await openConsoleRoom();
  await addManyTags(room, count);
  visitor = await room.visit('/console/VastTag');
  ({ page } = visitor);
});
after(() => room?.close());

const table = () => page.getByRole('table', { name: 'VAST Tag' });
const rowAt = (index: number) => table().locator(`[role=row][aria-rowindex="${index + 1}"]`);
const search = () => page.getByLabel('Search VAST Tags');

test('of 10,000 objects those in sight are drawn, down to the last one', async () => {
  await page.getByText('10,000', { exact: true }).waitFor();
  await rowAt(1).getByRole('link', { name: 'Zone 1', exact: true }).waitFor();
  await table().hover();
  await page.mouse.wheel(0, count * 100);
  await rowAt(count)
    .getByRole('link', { name: `Zone ${count}` })
    .waitFor();
  assert.equal(await table().getAttribute('aria-rowcount'), String(count + 1));
  assert.ok((await table().getByRole('row').count()) < drawnMax);
});

test('they are searched, and the address says so', async () => {
  await search().fill('zone 9999');
  await page.getByText('1 of 10,000', { exact: true }).waitFor();
  await rowAt(1).getByRole('link', { name: 'Zone 9999' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('q'), 'zone 9999');
  await page.reload();
  await page.getByText('1 of 10,000', { exact: true }).waitFor();
  await search().fill('');
});

test('they are sorted by a column, the greatest first, then the least', async () => {
  const name = table().getByRole('columnheader', { name: 'Name', exact: true });
  await name.getByRole('button').click();
  await rowAt(1).getByRole('link', { name: 'Zone 9999' }).waitFor();
  assert.equal(await name.getAttribute('aria-sort'), 'descending');
  await name.getByRole('button').click();
  await rowAt(1).getByRole('link', { name: 'Zone 1', exact: true }).waitFor();
  assert.equal(await name.getAttribute('aria-sort'), 'ascending');
});

test('all that are found are selected, loaded or not', async () => {
  await search().fill('zone 9');
  await page.getByText('3,439 of 10,000', { exact: true }).waitFor();
  await table().getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByText('3,439 selected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Select none' }).click();
  await search().fill('');
});

test('one is found, switched on and opened by keyboard alone', async () => {
  await search().focus();
  await page.keyboard.type('zone 7777');
  const row = rowAt(1);
  await row.getByRole('link', { name: 'Zone 7777' }).waitFor();
  const isActive = row.getByRole('switch', { name: 'Zone 7777 is active' });
  const was = await isActive.isChecked();
  for (let tabs = 0; tabs < 40 && !(await isFocused(isActive)); tabs += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await row.locator(`[role=switch][aria-checked=${!was}]`).waitFor();
  for (let tabs = 0; tabs < 5 && !(await isFocused(row.getByRole('link'))); tabs += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Zone 7777' }).waitFor();
  assert.deepEqual(visitor.complaints, []);
});

const isFocused = (place: ReturnType<Page['locator']>) =>
  place
    .and(page.locator(':focus'))
    .count()
    .then((focused) => focused > 0);

test('on a phone each is a card that is sorted, selected and switched, and fits', async () => {
  await page.goto(`${room.url}/console/VastTag`);
  await page.setViewportSize(windowSizes.phone);
  await page.getByLabel('Sort by').selectOption({ label: 'Name' });
  const card = rowAt(1);
  await card.getByRole('link', { name: 'Zone 9999' }).waitFor();
  await page.getByRole('button', { name: 'Sort ascending' }).click();
  await card.getByRole('link', { name: 'Zone 1', exact: true }).waitFor();
  await card.getByText('Many Media').waitFor();
  assert.equal(await card.locator('[data-label="Requests today"]').innerText(), '0');
  await card.getByRole('checkbox', { name: 'Select Zone 1' }).press('Space');
  await page.getByText('1 selected', { exact: true }).waitFor();
  const isActive = card.getByRole('switch', { name: 'Zone 1 is active' });
  const was = await isActive.isChecked();
  await isActive.click();
  await card.locator(`[role=switch][aria-checked=${!was}]`).waitFor();
  assert.deepEqual(await violations(page), []);
  const wide = await table().evaluate((element) => element.scrollWidth - element.clientWidth);
  assert.equal(wide, 0);
  await table().hover();
  await page.mouse.wheel(0, count * 300);
  await rowAt(count).getByRole('link', { name: 'Zone 9999' }).waitFor();
  assert.ok((await table().getByRole('row').count()) < drawnMax);
});
