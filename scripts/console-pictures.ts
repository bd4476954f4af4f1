/**
 * Pictures of every screen of the console, filled with the demonstration and days of simulated players:
 * `npm run console:pictures -- --to <folder>`. `--only <text>` takes those whose names have it; `--guide` renews those
 * of docs/guide/pictures/ instead.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { type ConsoleRoom, logIn, openConsoleRoom } from '../test/console/console-room.ts';
import { addManyTags, openDemoRoom, playDays, shownObjects } from '../test/console/filled-room.ts';
import { type Screen, screensOf, settled, show, windowSizes } from '../test/console/screens.ts';
import { addUser } from '../test/management/users.ts';
import { emptyPictures, guidePictures, takeGuide } from './guide-pictures.ts';

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: 'pictures' },
    only: { type: 'string', default: '' },
    guide: { type: 'boolean', default: false },
  },
});
const folder = resolve(values.to);
if (!values.guide) mkdirSync(folder, { recursive: true });

const modes = ['light', 'dark'] as const;
const isWanted = (name: string) => name.includes(values.only);

/** Takes what is shown, in both modes and widths. */
async function take(page: Page, name: string): Promise<void> {
  for (const mode of modes) {
    for (const size of Object.values(windowSizes)) {
      await page.emulateMedia({ colorScheme: mode });
      await page.setViewportSize(size);
      // Charts draw themselves again for another width.
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}-${mode}-${size.width}.png`) });
    }
  }
  await page.setViewportSize(windowSizes.desk);
  console.log(name);
}

const days = 3;
const secondsEach = 15;
const machineTime = Date.now;
let time = machineTime;
// The server takes its clock when it starts, and this one can go back.
Date.now = () => time();

/** Lets days go by in seconds for this process, up to now, while `play` runs, which a signal ends. */
async function throughDays(play: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const startMs = machineTime();
  const lastsMs = days * secondsEach * 1000;
  const left = () => Math.max(0, 1 - (machineTime() - startMs) / lastsMs);
  time = () => machineTime() - left() * days * 86_400_000;
  await play(AbortSignal.timeout(lastsMs));
  time = machineTime;
}

/** Takes the screens of a room; `prefix` says how much it has. */
async function takeAll(
  room: ConsoleRoom,
  page: Page,
  screens: readonly Screen[],
  prefix = '',
): Promise<void> {
  for (const screen of screens) {
    const name = prefix + screen.name;
    if (!isWanted(name)) continue;
    await show(page, screen, room.url);
    await take(page, name);
  }
}

/** What stands where something went wrong, by picture. */
const faults: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  async 'fault-login'(page) {
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Mail address').fill('nobody@example.com');
    await page.locator('input[type=password]').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
  },
  async 'fault-form-refused'(page, url) {
    await page.goto(`${url}/console/VastTag/1`);
    await page.getByLabel('Bid floor', { exact: true }).fill('-3');
    await page.getByText('not accepted').waitFor();
    await page.getByLabel('Bid floor', { exact: true }).scrollIntoViewIfNeeded();
  },
  async 'fault-no-such-screen'(page, url) {
    await page.goto(`${url}/console/Nothing`);
  },
  async 'fault-server-gone'(page, url) {
    await page.goto(`${url}/console/VastTag/1`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await page
      .getByRole('navigation', { name: 'Parts of the object' })
      .getByRole('link', { name: 'Statistics' })
      .click();
    await page.getByText('does not answer').first().waitFor();
  },
  async 'fault-server-gone-from-the-start'(page, url) {
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(url);
    await page.getByText('does not answer').first().waitFor();
  },
};

/** What stands there after something was done, by picture. */
const acts: Readonly<Record<string, (page: Page, room: ConsoleRoom) => Promise<void>>> = {
  async 'act-test-live'(page, room) {
    await page.goto(`${room.url}/console/BannerEp/1/test`);
    await page.getByRole('button', { name: 'Run a test' }).click();
    await page.getByRole('button', { name: 'Show it live' }).click();
    await page.getByText('It is live').waitFor();
  },
  async 'act-as-api-call'(page, room) {
    await page.goto(`${room.url}/console/VastTag?sort=-Bidfloor&status=active`);
    await page.getByRole('button', { name: 'As API call' }).click();
    await page.getByRole('dialog').getByText('BOURSE_TOKEN').first().waitFor();
  },
  async 'act-skip-link'(page) {
    await page.keyboard.press('Tab');
  },
  async 'act-many-at-once'(page, room) {
    await page.goto(`${room.url}/console/VastTag`);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('button', { name: /^Change \d/ }).waitFor();
  },
  async 'analyst-lines'(page, room) {
    await logInAsAnalyst(page, room);
    await page.goto(`${room.url}/console/DomainList/1/lines`);
    await settled(page);
  },
  async 'analyst-configuration'(page, room) {
    await logInAsAnalyst(page, room);
    await page.goto(`${room.url}/console/configuration`);
    await page
      .getByLabel('Or paste a document')
      .fill('Version: 1\nTag:\n  - Name: Mine\n    Color: "#123456"');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.waitForLoadState('networkidle');
  },
};

async function logInAsAnalyst(page: Page, room: ConsoleRoom): Promise<void> {
  const { mail } = await addUser(room, { role: 2, teamId: 1 });
  await page.context().clearCookies();
  await page.reload();
  await logIn(page, { mail, password: 'long enough' });
}

async function takeActs(room: ConsoleRoom): Promise<void> {
  for (const [name, act] of Object.entries(acts)) {
    if (!isWanted(name)) continue;
    const { page, context } = await room.visit('/');
    await act(page, room);
    await take(page, name);
    await context.close();
  }
}

async function takeFaults(room: ConsoleRoom): Promise<void> {
  for (const [name, spoil] of Object.entries(faults)) {
    if (!isWanted(name)) continue;
    const { page, context } = await room.visit('/');
    await spoil(page, room.url);
    await take(page, name);
    await context.close();
  }
}

async function takeEmpty(): Promise<void> {
  const room = await openConsoleRoom();
  const { page } = await room.visit('/', { isStranger: true });
  if (isWanted('login')) await take(page, 'login');
  await logIn(page, room);
  for (const [name, address] of [
    ['empty-overview', '/'],
    ['empty-list', '/console/VastTag'],
    ['empty-new', '/console/VastTag/new'],
  ] as const) {
    if (!isWanted(name)) continue;
    await show(page, { name, address, route: address }, room.url);
    await take(page, name);
  }
  await room.close();
}

const rate = 60;
const objects = 10_000;

// The server alone does not keep this process.
const alive = setInterval(() => undefined, 60_000);
const room = await openDemoRoom();
try {
  await throughDays((signal) => playDays(room, { signal, seconds: secondsEach, rate }));
  await room.api('/api/ortb/dsprtbep/update', { DspRtbEp: { Id: 2, Countries: [{ CC: 'NO' }] } });
  await room.api('/api/ortb/vasttag/update', { VastTag: { Id: 1, Bidfloor: 1.5 } });
  const { page } = await room.visit('/');
  const screens = await screensOf(page, room.url, await shownObjects(room));
  if (values.guide) {
    await takeGuide(
      page,
      room.url,
      guidePictures.filter(({ name }) => isWanted(name)),
    );
    const empty = await openConsoleRoom();
    await takeGuide(
      (await empty.visit('/')).page,
      empty.url,
      emptyPictures.filter(({ name }) => isWanted(name)),
    );
    await empty.close();
  } else {
    await takeAll(room, page, screens);
    await takeFaults(room);
    await takeActs(room);
    await addManyTags(room, objects);
    await takeAll(
      room,
      page,
      screens.filter(({ name }) => /^(overview|VastTag|DspRtbEp-1-connections)$/.test(name)),
      'many-',
    );
    await takeEmpty();
  }
} finally {
  clearInterval(alive);
  await room.close();
}
