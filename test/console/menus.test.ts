import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConsoleRoom, openConsoleRoom } from './console-room.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
});
after(() => room.close());

const zones = { popup: 'listbox', inside: '[aria-label="Find a time zone"]' } as const;
const user = { popup: 'menu', inside: '[role=menu] [role=menuitem]' } as const;

for (const { what, popup, inside, open } of [
  { what: 'zones', ...zones, open: 'Enter' },
  { what: 'zones', ...zones, open: 'ArrowDown' },
  { what: 'zones', ...zones, open: 'a click' },
  { what: 'the user', ...user, open: 'Enter' },
  { what: 'the user', ...user, open: 'Space' },
  { what: 'the user', ...user, open: 'a click' },
]) {
  test(`the menu of ${what} is loaded and opened by ${open}, and gives the focus back`, async () => {
    const { page, complaints } = await room.visit('/console/help/contents');
    const button = page.locator(`header [aria-haspopup=${popup}]`);
    await button.waitFor();
    assert.equal(await page.locator(inside).count(), 0);
    const place = await button.boundingBox();
    if (open === 'a click') await button.click();
    else {
      await button.focus();
      await page.keyboard.press(open);
    }
    const first = page.locator(inside).first();
    await first.waitFor();
    await page.locator(`header [aria-haspopup=${popup}][aria-expanded=true]`).waitFor();
    assert.deepEqual(await button.boundingBox(), place);
    await page.locator('header :focus').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await first.waitFor({ state: 'hidden' });
    await page.locator(`header [aria-haspopup=${popup}][aria-expanded=false]:focus`).waitFor();
    await button.click();
    await first.waitFor();
    await button.click();
    await first.waitFor({ state: 'hidden' });
    assert.deepEqual(complaints, []);
  });
}

test('the items of the user’s menu are reached by arrows', async () => {
  const { page } = await room.visit('/');
  await page.locator('header [aria-haspopup=menu]').press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  // The menu takes the focus a moment after it is drawn; until then keys are the button's.
  await page.locator('header :focus').waitFor({ state: 'detached' });
  for (const item of ['Settings', 'Guides']) {
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: item }).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/help\//);
});
