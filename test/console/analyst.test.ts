import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn } from './console-room.ts';
import { openDemoRoom, shownObjects } from './filled-room.ts';
import { screensOf, show, unlike } from './screens.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
});
after(() => room?.close());

/** What changes the exchange, on some screen. */
const changing =
  /^(New|Add|Duplicate|Run a test|Make a test URL|Run for real|Replace|Disconnect|Earlier|Later|Revert|Back to before|Invite|Apply|Mute|Unmute)\b/;
const analyst = 2;

test('an analyst sees every screen, may use nothing that changes anything, and is told why', async () => {
  const { mail } = await addUser(room, { role: analyst, teamId: 1 });
  const { page } = await room.visit('/', { isStranger: true });
  await logIn(page, { mail, password: 'long enough' });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  const usable: string[] = [];
  const unexplained: string[] = [];
  let disabled = 0;
  const screens = await screensOf(page, room.url, await shownObjects(room));
  for (const screen of unlike(screens)) {
    // What is done on a screen before its picture is taken is not an analyst's.
    await show(page, { ...screen, route: '' }, room.url);
    const controls = page.locator('main').locator('button, [role=button], a[data-button], [role=switch]');
    for (const control of await controls.all()) {
      const name = ((await control.getAttribute('aria-label')) ?? (await control.innerText())).trim();
      const isSwitch = (await control.getAttribute('role')) === 'switch';
      if (!(changing.test(name) || (isSwitch && / is active$/.test(name)))) continue;
      if (await control.isEnabled()) usable.push(`${screen.name}: ${name}`);
      else disabled += 1;
      if (!/analyst|administrators/.test((await control.getAttribute('title')) ?? ''))
        unexplained.push(`${screen.name}: ${name}`);
    }
  }
  await page.goto(`${room.url}/console/configuration`);
  await page.getByLabel('Or paste a document').fill('Version: 1\nTag:\n  - Name: Mine\n    Color: "#123456"');
  await page.getByRole('button', { name: 'Show the plan' }).click();
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  assert.match((await apply.getAttribute('title')) ?? '', /analyst/);
  assert.ok(await apply.isDisabled());
  await page.goto(`${room.url}/console/DomainList/1/lines`);
  await page.getByText('can see everything but change nothing').waitFor();
  assert.ok(await page.getByLabel('Or paste lines').isDisabled());
  await page.goto(`${room.url}/console/FloorRule?table=team`);
  const anywhere = page.getByLabel('Any country, Any device');
  assert.match((await anywhere.getAttribute('title')) ?? '', /analyst/);
  assert.ok(await anywhere.isDisabled());
  assert.match((await page.getByRole('button', { name: 'Import' }).getAttribute('title')) ?? '', /analyst/);
  const bare = await room.add('ortb/vasttag', 'VastTag', { PublisherId: 1, Name: 'Bare' });
  await page.goto(`${room.url}/console/VastTag/${bare.Id}`);
  await page.getByRole('status').filter({ hasText: 'Not ready to serve: one thing is missing' }).waitFor();
  assert.ok(disabled > 0);
  assert.deepEqual({ refused, usable, unexplained }, { refused: [], usable: [], unexplained: [] });
});
