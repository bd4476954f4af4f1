import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ConsoleRoom } from './console-room.ts';
import { openDemoRoom, shownObjects } from './filled-room.ts';
import { screensOf, show, unlike, windowSizes } from './screens.ts';
import { violations } from './violations.ts';

const schemes = ['light', 'dark'] as const;

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
});
after(() => room?.close());

/** Waits until nothing changes its colour or size any more. */
const still = (page: Page) =>
  page.evaluate(
    `new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
      .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      .then(() => undefined)`,
  );

/** Looks at what is shown in both schemes at the desk, and whether it fits a phone. */
async function complaintsOf(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await still(page);
    for (const text of await violations(page)) found.push(`${name}, ${colorScheme}: ${text}`);
  }
  await page.setViewportSize(windowSizes.phone);
  await still(page);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > windowSizes.phone.width) found.push(`${name} is ${width} pixels wide on a phone`);
  await page.setViewportSize(windowSizes.desk);
  return found;
}

describe('accessible', () => {
  test('the login', async () => {
    const { page } = await room.visit('/', { isStranger: true });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal((await complaintsOf(page, 'login')).join('\n'), '');
  });

  test('every screen', async () => {
    const { page } = await room.visit('/');
    const found: string[] = [];
    const screens = await screensOf(page, room.url, await shownObjects(room));
    for (const screen of unlike(screens)) {
      await show(page, screen, room.url);
      found.push(...(await complaintsOf(page, screen.name)));
    }
    assert.equal(found.join('\n'), '');
  });
});
