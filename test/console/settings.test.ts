import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn, openConsoleRoom } from './console-room.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
});
after(() => room.close());

const hostile = '<img src=x onerror=alert(1)>';

describe('users', () => {
  test('one is invited, changed, shut out and let in again', async () => {
    const { page } = await room.visit('/console/settings/users');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Mail address').fill(room.mail);
    await dialog.getByLabel('First name').fill(hostile);
    await dialog.getByLabel('Analyst').check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('is already used').waitFor();
    await dialog.getByLabel('Mail address').fill('new@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByText('#invite=').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'new@example.com' });
    await row.getByText('invited').waitFor();
    await row.getByText(hostile).waitFor();
    const choose = async (name: string) => {
      await row.getByRole('button').click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Change name and role…');
    await page.getByRole('dialog').getByLabel('First name').fill('Newcomer');
    await page.getByRole('dialog').getByLabel('Manager').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row.getByText('Newcomer').waitFor();
    await row.getByText('Manager').waitFor();
    await choose('Shut out…');
    await page.getByRole('dialog').getByRole('button', { name: 'Shut out' }).click();
    await row.getByText('shut out').waitFor();
    await choose('Let in again…');
    await page.getByRole('dialog').getByRole('button', { name: 'Let in again' }).click();
    await row.getByText('shut out').waitFor({ state: 'hidden' });
    await choose('Make a link to set the password…');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('dialog').getByText('#invite=').waitFor();
  });

  test('who is no administrator sees why nothing can be done', async () => {
    const [{ TeamId }] = [await room.api<{ TeamId: number }>('/api/auth/account')];
    const { mail } = await addUser(room, { role: 2, teamId: TeamId });
    const { page } = await room.visit('/console/settings/users', { isStranger: true });
    await logIn(page, { mail, password: 'long enough' });
    const invite = page.getByRole('button', { name: 'Invite' });
    assert.ok(await invite.isDisabled());
    assert.match((await invite.getAttribute('title')) ?? '', /administrators/);
    await page.getByRole('link', { name: 'API keys' }).click();
    assert.ok(await page.getByRole('button', { name: 'New key' }).isDisabled());
    await page.getByRole('link', { name: 'Profile' }).click();
    assert.ok(await page.getByLabel('First name').isDisabled());
  });
});

test('an API key is shown once, works, and is revoked', async () => {
  const { page } = await room.visit('/console/settings/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is for').fill('nightly report');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
  const asked = () => fetch(`${room.url}/api/auth/account`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await asked()).status, 200);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Revoke nightly report' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('There is no key yet').waitFor();
  assert.equal((await asked()).status, 401);
});

test('another session is ended, and its owner is asked to log in', async () => {
  const { page } = await room.visit('/console/settings/sessions');
  const other = await room.visit('/console/settings/sessions', {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  await page.reload();
  await page.getByRole('button', { name: 'End the session of Firefox on Linux' }).click();
  await page.getByText('Firefox on Linux').waitFor({ state: 'hidden' });
  await other.page.getByRole('link', { name: 'Server' }).click();
  await other.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
});

test('the server says by which database it knows countries, and how old that is', async () => {
  const { page } = await room.visit('/console/settings/server');
  await page.getByText(/^geo-whois-asn-country, of .* \([\d,]+ days old\)$/).waitFor();
  await page.getByText('The database that comes with Bourse', { exact: false }).waitFor();
});

test('times are shown in the zone that is chosen, everywhere and after a reload', async () => {
  const { page } = await room.visit('/console/settings/server', { timezoneId: 'Europe/Berlin' });
  await page
    .getByText(/UTC\+[12]$/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Time zone' }).click();
  await page.getByLabel('Find a time zone').fill('kolkata');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('time', { hasText: 'UTC+5:30' }).waitFor();
  await page.reload();
  await page.locator('time', { hasText: 'UTC+5:30' }).waitFor();
});

test('the team’s settings are made by administrators, and what is wrong stands at its field', async () => {
  const { page } = await room.visit('/console/settings/team');
  const url = page.getByLabel('Measurement URL');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await url.fill('https://measure.example/{moon}');
  await save.click();
  await page.getByText(/moon/).and(page.locator('[class*=error]')).first().waitFor();
  await url.fill('https://measure.example/i?a={auction_id}');
  await save.click();
  await page.getByRole('status').getByText('Settings saved').waitFor({ state: 'attached' });
  await page.getByLabel('User IDs need purpose 4').click();
  await save.click();
  while ((await room.api<{ UserIdsNeedPurpose4: number }>('/api/team/get')).UserIdsNeedPurpose4 !== 1);
  assert.partialDeepStrictEqual(await room.api('/api/team/get'), {
    MeasurementUrl: 'https://measure.example/i?a={auction_id}',
    GdprDefault: 0,
  });
  const [{ TeamId }] = [await room.api<{ TeamId: number }>('/api/auth/account')];
  const { mail } = await addUser(room, { role: 1, teamId: TeamId });
  const { page: managers } = await room.visit('/console/settings/team', { isStranger: true });
  await logIn(managers, { mail, password: 'long enough' });
  assert.ok(await managers.getByLabel('Measurement URL').isDisabled());
});
