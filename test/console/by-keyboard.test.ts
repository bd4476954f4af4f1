import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type ConsoleRoom, openConsoleRoom, publisher } from './console-room.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
  const { Id: PublisherId } = await room.add('publisher', 'Publisher', publisher);
  await room.add('ortb/vasttag', 'VastTag', { PublisherId, Name: 'Homepage' });
});
after(() => room?.close());

const tabsMax = 150;

/** Goes on by Tab until a place has the focus, as someone without a mouse would. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if ((await place.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${place} cannot be reached`);
}

test('by keyboard alone: from the login through the list to a change that is saved', async () => {
  const { page, complaints } = await room.visit('/', { isStranger: true });
  const { keyboard } = page;
  await tabTo(page, page.getByLabel('Mail address'));
  await keyboard.type(room.mail);
  await tabTo(page, page.locator('input[type=password]'));
  await keyboard.type(room.password);
  await keyboard.press('Enter');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await tabTo(page, menu.getByRole('link', { name: 'VAST Tags', exact: true }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'Homepage' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await keyboard.press('End');
  await keyboard.type(', renamed');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('1 unsaved change').waitFor();
  await keyboard.press('Control+S');
  await page.getByRole('heading', { name: 'Homepage, renamed' }).waitFor();
  await bar.waitFor({ state: 'hidden' });
  assert.deepEqual(complaints, []);
});
