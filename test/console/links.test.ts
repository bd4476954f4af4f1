import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn } from './console-room.ts';
import { openDemoRoom } from './filled-room.ts';
import { settled } from './screens.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
});
after(() => room?.close());

const password = 'long enough';
const roles = [
  { name: 'a manager', user: { role: 1 } },
  { name: 'an analyst', user: { role: 2 } },
  { name: 'a publisher', user: { role: 3, partner: { kind: 'Publisher', id: 1 } } },
  { name: 'an advertiser', user: { role: 3, partner: { kind: 'Advertiser', id: 1 } } },
] as const;

/**
 * Of links that lead to the same kind of place, one is pressed: objects of all kinds are interchangeable, and values.
 * Guides are the same for all, so that one role presses the links among them.
 */
function kindOf(href: string, seesGuides: boolean): string {
  const { pathname, searchParams, hash } = new URL(href);
  const path = pathname.replace(/\w+\/\d+(?=\/|$)/, ':entity/1').replace(/\w+\/new$/, ':entity/new');
  if (path.startsWith('/console/help/')) return seesGuides ? `${path}${hash}` : '/console/help/:page';
  return `${path}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** Ends once the router has been at rest for some frames, also where an address leads on to another. */
const atRest = `new Promise((end) => {
  let frames = 0;
  const look = () => {
    const { status, location, resolvedLocation } = __TSR_ROUTER__.state;
    frames = status === 'idle' && resolvedLocation?.href === location.href ? frames + 1 : 0;
    if (frames > 3) end();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** The links of the screen that stay in the console, by where they lead. */
async function linksOf({ page, seesGuides }: Walk): Promise<ReadonlyMap<string, Locator>> {
  const found = new Map<string, Locator>();
  for (const link of await page.locator('a[href]:visible:not([target=_blank]):not([download])').all()) {
    const href = new URL((await link.getAttribute('href')) ?? '', page.url()).href;
    const key = kindOf(href, seesGuides);
    if (href.startsWith(`${room.url}/`) && !found.has(key)) found.set(key, link);
  }
  return found;
}

interface Walk {
  readonly page: Page;
  readonly seesGuides: boolean;
  /** Kinds of places that a link to them was pressed. */
  readonly pressed: Set<string>;
  readonly faults: string[];
  readonly addresses: string[];
}

/** Presses a link of the screen, and says what is wrong with where it led. */
async function press({ page, faults, addresses }: Walk, from: string, link: Locator, key: string) {
  await link.click();
  await page.evaluate(atRest);
  await settled(page);
  const heading = await page.getByRole('heading', { level: 1 }).first().innerText();
  if (/nothing here|could not be shown/.test(heading)) faults.push(`${from}: ${key}: ${heading}`);
  else addresses.push(page.url());
}

/** Goes back to a screen without loading the console again. */
async function goTo(page: Page, address: string): Promise<void> {
  if (page.url() === address) return;
  const { pathname, search, hash } = new URL(address);
  await page.evaluate(`__TSR_ROUTER__.history.push(${JSON.stringify(pathname + search + hash)})`);
  await page.evaluate(atRest);
  await settled(page);
}

async function walk(page: Page, seesGuides: boolean): Promise<Walk> {
  const walked: Walk = { page, seesGuides, pressed: new Set(), faults: [], addresses: [page.url()] };
  for (const address of walked.addresses) {
    await goTo(page, address);
    for (const key of (await linksOf(walked)).keys()) {
      if (walked.pressed.has(key)) continue;
      walked.pressed.add(key);
      await goTo(page, address);
      const link = (await linksOf(walked)).get(key);
      if (link) await press(walked, address, link, key);
      else walked.faults.push(`${address}: ${key} was there only once`);
    }
  }
  return walked;
}

describe('links', () => {
  for (const { name, user } of roles)
    test(`every link that ${name} sees leads somewhere`, { timeout: 600_000 }, async () => {
      const { mail } = await addUser(room, { teamId: 1, ...user });
      const { page, complaints } = await room.visit('/', { isStranger: true });
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403 || response.status() === 404) refused.push(response.url());
      });
      await logIn(page, { mail, password });
      await settled(page);
      const { faults, pressed } = await walk(page, name === 'a publisher');
      assert.deepEqual({ faults, refused, complaints }, { faults: [], refused: [], complaints: [] });
      assert.ok(pressed.size > 5, `only ${[...pressed].join()}`);
    });
});
