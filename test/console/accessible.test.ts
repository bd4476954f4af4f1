import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { ConsoleRoom } from './console-room.ts';
import { openDemoRoom, shownObjects } from './filled-room.ts';
import { screensOf, show, windowSizes } from './screens.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8');
const schemes = ['light', 'dark'] as const;

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
});
after(() => room?.close());

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** What axe-core has against the page as it is now, in words. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
    // A test ad is somebody else's markup, in a frame of its own.
    `axe.run({ exclude: [['iframe']] }, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}; ${target.join(' ')}: ${failureSummary}`),
  );
}

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
    for (const text of await violationsOf(page)) found.push(`${name}, ${colorScheme}: ${text}`);
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
    const { page, context } = await room.visit('/', { isStranger: true });
    await context.addInitScript(axe);
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal((await complaintsOf(page, 'login')).join('\n'), '');
  });

  test('every screen', async () => {
    const { page, context } = await room.visit('/');
    await context.addInitScript(axe);
    const found: string[] = [];
    for (const screen of await screensOf(page, room.url, await shownObjects(room))) {
      await show(page, screen, room.url);
      found.push(...(await complaintsOf(page, screen.name)));
    }
    assert.equal(found.join('\n'), '');
  });
});
