import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn, openConsoleRoom } from './console-room.ts';
import { violations } from './violations.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
});
after(() => room.close());

test('a team without objects is led to an ad, with a reload in between', async () => {
  const { page, complaints } = await room.visit('/');
  await page.getByRole('heading', { name: 'Your exchange is ready' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Begin' }).click();
  await page.locator('#field-Name').fill('Example Média');
  await page.locator('#field-Country').fill('Germany');
  await page.getByRole('option', { name: 'Germany' }).click();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Add the publisher' }).click();
  await page.getByRole('button', { name: 'Add the tag' }).click();
  await page.getByRole('button', { name: 'Add the campaign' }).waitFor();
  await page.reload();
  await page.locator('#field-MediaUrl').fill('nowhere');
  await page.getByRole('button', { name: 'Add the campaign' }).click();
  await page.getByText('must be an absolute http or https URL').waitFor();
  await page.locator('#field-MediaUrl').fill('https://cdn.brand.example/film.webm');
  await page.getByRole('button', { name: 'Add the campaign' }).click();
  // From here on a player looks for a film that is nowhere.
  await page.getByRole('button', { name: 'Ask for an ad now' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.getByRole('button', { name: 'Ask for an ad now' }).click();
  await page.getByText('Your exchange shows an ad').waitFor();
  await page.getByRole('tab', { name: 'Markup' }).click();
  await page.getByText('https://cdn.brand.example/film.webm').waitFor();
  const [campaign] = await room.api<readonly { Mime: string; Name: string }[]>('/api/campaign/get');
  assert.equal(campaign?.Mime, 'video/webm');
  assert.equal((await room.api<readonly unknown[]>('/api/advertiser/get')).length, 1);
  await page.getByRole('main').getByRole('link', { name: 'Overview' }).last().click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

// Where there are several teams, the demonstration is the operator's to start.
test('the demonstration of a lone team starts with a click', async (t) => {
  const alone = await openConsoleRoom();
  t.after(() => alone.close());
  const { page } = await alone.visit('/');
  await page.getByRole('button', { name: 'Start it' }).click();
  await page.getByRole('link', { name: 'Open the player' }).waitFor();
  await page.getByRole('button', { name: 'Go to the overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

test('an analyst sees why none of the ways is open', async () => {
  const { mail } = await addUser(room, { role: 2 });
  const { page } = await room.visit('/', { isStranger: true });
  await logIn(page, { mail, password: 'long enough' });
  await page.getByRole('heading', { name: 'Your exchange is ready' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Start it' }).isDisabled());
  for (const name of ['Begin', 'Choose a file']) {
    assert.equal(
      await page.getByText(name, { exact: true }).locator('..').locator('..').getAttribute('data-disabled'),
      'true',
    );
  }
});
