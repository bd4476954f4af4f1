import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';
import { violations } from './violations.ts';

let room: ConsoleRoom;
let owner: Stored;
before(async () => {
  room = await openConsoleRoom();
  owner = await room.add('publisher', 'Publisher', publisher);
});
after(() => room.close());

const tag = (Name: string, SiteDomain = '') =>
  room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name, SiteDomain });

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input').fill(text);
}

test('an object is found by name and opened by keyboard alone', async () => {
  const { Id } = await tag('<b>Sport</b> mid-roll', 'sport.example');
  const { page, complaints } = await room.visit('/');
  await search(page, 'sport</b>');
  await page.getByRole('dialog').getByText('<b>Sport</b> mid-roll').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/VastTag/${Id}`);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await search(page, 'sport.example');
  await page.getByRole('dialog').getByText('sport.example').last().waitFor();
  assert.deepEqual(complaints, []);
});

test('a list is found by the line that holds a domain, and opened there', async () => {
  const { Id } = await room.add('domainlist', 'DomainList', {
    Name: 'Blocked',
    ListText: 'bad.example\nworse.example',
  });
  const { page, complaints } = await room.visit('/');
  await search(page, 'https://www.worse.example/page');
  await page.getByRole('dialog').getByText('has the line worse.example').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/DomainList/${Id}/lines?q=worse.example`);
  await page.getByText('worse.example').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('fields of the object that is open, and actions, are found', async () => {
  const { Id } = await tag('Fields');
  const { page } = await room.visit(`/console/VastTag/${Id}`);
  await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor();
  await search(page, 'bidfloor');
  await page.getByRole('dialog').getByText('Bid floor', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/field=Bidfloor/);
  await search(page, 'new campaign');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/Campaign/new');
  await search(page, 'no such thing whatsoever');
  await page.getByText('No matches.').waitFor();
});

test('figures lead to a report, and help to its guide, heading or entry', async () => {
  const { page, complaints } = await room.visit('/');
  await search(page, 'fill');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Fill rate', { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/reports?figures=FillRate');
  for (const [query, label, address] of [
    ['outcomes mean', 'What the outcomes mean', '**/console/help/why-no-ad#what-the-outcomes-mean'],
    ['below_floor', 'below_floor', '**/console/help/why-no-ad#below_floor'],
  ] as const) {
    await search(page, query);
    await dialog.getByText(label, { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    await page.locator(`[id="${address.split('#')[1]}"]:focus`).waitFor();
  }
  assert.deepEqual(complaints, []);
});

test('what was found for the beginning of a text is not opened by the whole of it', async () => {
  await tag('New season');
  const { page } = await room.visit('/');
  await page.route(/api\/search\?.*Query=new\+c/i, () => undefined);
  await search(page, 'new');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('New season').waitFor();
  await dialog.locator('input').pressSequentially(' campaign');
  await dialog.getByText('New Campaign', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/Campaign/new');
});

/** Whether the search has the keys in the moment in which it is shown. */
const hasKeysAtOnce = `new Promise((tell) => {
  const look = (changes, observer) => {
    const input = document.querySelector('[role=dialog] input');
    if (input === null) return;
    observer.disconnect();
    tell(document.activeElement === input);
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
})`;

test('what is typed goes into the search as soon as it is shown, the first time and again', async () => {
  const { page } = await room.visit('/');
  for (const entity of ['Campaign', 'Publisher']) {
    const hasKeys = page.evaluate(hasKeysAtOnce);
    await page.keyboard.press('Control+k');
    assert.equal(await hasKeys, true, entity);
    await page.keyboard.type(`new ${entity}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/${entity}/new`);
  }
});

test('? lists the keys, but not while text is typed', async () => {
  const { page } = await room.visit('/console/settings');
  await page.getByLabel('First name').press('Shift+?');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('heading', { name: 'Settings', level: 1 }).click();
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Save changes').waitFor();
});
