import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createIdentity } from '../../src/identity/identity.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { codeOf } from '../management/totp-code.ts';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn, openConsoleRoom, publisher } from './console-room.ts';
import { violations } from './violations.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
});
after(() => room.close());

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const password = 'long enough';
const stranger = (path: string) => room.visit(path, { isStranger: true });

async function fill(page: Page, mail: string, secret: string): Promise<void> {
  await page.getByLabel('Mail address').fill(mail);
  await page.locator('input[type=password]').fill(secret);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

test('a wrong pair is said, and nothing typed is lost', async () => {
  const { page } = await stranger('/');
  await fill(page, room.mail, 'not the password');
  await page.getByRole('alert').getByText('The mail address or the password is wrong').waitFor();
  assert.equal(await page.getByLabel('Mail address').inputValue(), room.mail);
  assert.deepEqual(await violations(page), []);
});

test('a second factor is set up, asked for, and stood for by a recovery code', async () => {
  const { mail } = await addUser(room, { role: 2 });
  const { page, complaints } = await stranger('/console/settings');
  await fill(page, mail, password);
  await page.getByRole('button', { name: 'Set up…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('wrong wrong');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('is wrong').waitFor();
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  assert.deepEqual(await violations(page), []);
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.getByText('shown only now').waitFor();
  const codes = (await dialog.innerText()).match(/\b[A-Z2-7]{4}(-[A-Z2-7]{4}){3}\b/g) ?? [];
  assert.equal(codes.length, 10);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Remove…' }).waitFor();
  assert.deepEqual(complaints, []);
  for (const code of [codeOf(secret, 1), codes[0] ?? '']) {
    const other = await stranger('/');
    await fill(other.page, mail, password);
    await other.page.getByLabel('Code', { exact: true }).fill('wrong');
    await other.page.getByRole('button', { name: 'Go on' }).click();
    await other.page.getByText('The code is wrong').waitFor();
    await other.page.getByLabel('Code', { exact: true }).fill(code);
    if (!/^\d{6}$/.test(code)) await other.page.getByRole('button', { name: 'Go on' }).click();
    await main(other.page).waitFor();
    await other.context.close();
  }
});

describe('links', () => {
  test('an invitation lets its user choose a password, once, and leaves no secret in the address', async () => {
    const invited = { Mail: 'grace@example.com', FirstName: 'Grace', LastName: 'Hopper', Role: 1 };
    const { Link } = await room.api<{ Link: string }>('/api/auth/user/invite', invited);
    const path = Link.slice(Link.indexOf('/#'));
    const { page, complaints } = await stranger(path);
    assert.ok(!page.url().includes('#'));
    await page.getByLabel('New password').fill('another long one');
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Set the password and log in' }).click();
    await main(page).waitFor();
    await page.getByRole('button', { name: 'Grace' }).waitFor();
    assert.deepEqual(complaints, []);
    const again = await stranger(path);
    await again.page.getByLabel('New password').fill('yet another long one');
    await again.page.getByRole('button', { name: 'Set the password and log in' }).click();
    await again.page.getByRole('alert').getByText('was already used').waitFor();
    await again.page.getByRole('button', { name: 'Log in with a password' }).click();
    await fill(again.page, invited.Mail, 'another long one');
    await main(again.page).waitFor();
  });

  test('that of the first start logs in once', async () => {
    const store = await openConfiguredStore(room.databaseUrl);
    const link = await createIdentity({ store, now: Date.now }).addLoginLink(room.mail);
    await store.close();
    const { page } = await stranger(`/#link=${link}`);
    await main(page).waitFor();
    assert.ok(!page.url().includes('#'));
    const again = await stranger(`/#link=${link}`);
    await again.page.getByRole('alert').getByText('already used').waitFor();
  });
});

test('a session that ends in the middle of a form is asked for above it, and the form goes on', async () => {
  const { page, context } = await room.visit('/console/Publisher/new');
  await page.locator('#field-Name').fill('Half typed');
  await page.locator('#field-Mail').fill(publisher.Mail);
  await page.locator('#field-Username').fill('half-typed');
  await page.locator('#field-Country').fill('Austria');
  await page.getByRole('option', { name: 'Austria' }).click();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.locator('#field-Name').inputValue(), 'Half typed');
  await dialog.locator('input[type=password]').fill('not this one');
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await dialog.getByText('The mail address or the password is wrong').waitFor();
  await dialog.locator('input[type=password]').fill(room.password);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Half typed', level: 1 }).waitFor();
  const names = (await room.api<readonly { Name: string }[]>('/api/publisher/get')).map(({ Name }) => Name);
  assert.deepEqual(names, ['Half typed']);
});

test('a login in another tab is noticed', async () => {
  const { page, context } = await room.visit('/console/settings/keys');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  const other = await context.newPage();
  await other.goto(`${room.url}/`);
  await logIn(other, room);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByText('this session').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});
