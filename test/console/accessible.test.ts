import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ConsoleRoom } from './console-room.ts';
import { shownObjects } from './filled-room.ts';
import { hostileNames, openHostileRoom } from './hostile-room.ts';
import { screensOf, show, unlike, windowSizes } from './screens.ts';
import { inScheme, still, violations } from './violations.ts';

const schemes = ['light', 'dark'] as const;
/** For a screen, beside everything else that a machine may be doing. */
const timeout = 120_000;

let room: ConsoleRoom;
before(async () => {
  room = await openHostileRoom();
});
after(() => room?.close());

/** How many tables are wider than what shows them. */
const tablesScrolledAside = `[...document.querySelectorAll('main table, main [role=table]')].filter((table) =>
  !table.closest('.visually-hidden') &&
  [table, table.parentElement].some((box) => box.scrollWidth > box.clientWidth + 1)).length`;

/** Whether it fits its window, and whether a text from outside has become more than a text. */
async function faultsOf(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (wide > 0) found.push(`${name} is ${wide} pixels wider than its window`);
  if ((await page.locator('[data-owned]').count()) > 0 || (await page.title()) !== 'Bourse')
    found.push(`${name} takes a text for markup`);
  return found;
}

/** Looks at what is shown in both schemes at the desk, and at whether it fits there and on a phone. */
async function complaintsOf(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await inScheme(page, colorScheme);
    // The second differs from the first in its colours alone.
    for (const text of await violations(page, colorScheme === 'dark'))
      found.push(`${name}, ${colorScheme}: ${text}`);
  }
  found.push(...(await faultsOf(page, `${name} at the desk`)));
  await page.setViewportSize(windowSizes.phone);
  await still(page);
  found.push(...(await faultsOf(page, `${name} on a phone`)));
  const aside = await page.evaluate<number>(tablesScrolledAside);
  if (aside > 0) found.push(`${name} has ${aside} tables on a phone that scroll sideways`);
  await page.setViewportSize(windowSizes.desk);
  return found;
}

describe('accessible', () => {
  test('the login', async () => {
    const { page } = await room.visit('/', { isStranger: true });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal((await complaintsOf(page, 'login')).join('\n'), '');
  });

  test('every screen, whatever things are called and partners answer', async (context) => {
    const { page, complaints } = await room.visit('/', { userAgent: `Mozilla/5.0 ${hostileNames[0]}` });
    const screens = await screensOf(page, room.url, await shownObjects(room));
    for (const screen of unlike(screens))
      await context.test(screen.name, { timeout }, async () => {
        await show(page, screen, room.url);
        assert.equal((await complaintsOf(page, screen.name)).join('\n'), '');
      });
    assert.deepEqual(complaints, []);
  });
});
