import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { addUser } from '../management/users.ts';
import { type ConsoleRoom, logIn, type Stored } from './console-room.ts';
import { openDemoRoom } from './filled-room.ts';
import { inScheme, violations } from './violations.ts';

const partner = 3;
const password = 'long enough';
let room: ConsoleRoom;
/** Names of accounts and what they own, by the kind and ID of the account. */
const named = new Map<string, string[]>();

/** Has a player ask for an ad, and waits until that is counted for both sides. */
async function askForAds(): Promise<void> {
  const [tag] = await room.api<readonly Stored[]>('/api/ortb/vasttag/get?PublisherId=1');
  const [zone] = (tag?.ZoneUrls ?? []) as readonly { readonly ZoneUrl: string }[];
  const question = { Period: 'Today', GroupBy: ['Advertiser'], Measures: ['Wins', 'Calls'] };
  for (let asked = 0; asked < 1000; asked += 1) {
    await (await fetch((zone?.ZoneUrl ?? '').replaceAll(/=\{\w+\}/g, '='))).arrayBuffer();
    const { Rows } = await room.api<{ Rows: { Advertiser: number | null }[] }>(
      '/api/statistics/report',
      question,
    );
    if (Rows.some(({ Advertiser }) => Advertiser === 1)) return;
  }
  assert.fail('nothing is counted');
}

before(async () => {
  room = await openDemoRoom();
  await askForAds();
  for (const { key, path, owner } of entities) {
    for (const object of await room.api<readonly Stored[]>(`/api/${path}/get`)) {
      const account = owner ? `${owner.entity} ${object[owner.field]}` : `${key} ${object.Id}`;
      named.set(account, [...(named.get(account) ?? []), String(object.Name)]);
    }
  }
});
after(() => room?.close());

for (const [kind, money] of [
  ['Publisher', 'Earnings'],
  ['Advertiser', 'Spend'],
] as const) {
  test(`a partner of a ${kind.toLowerCase()} sees what is theirs, and no other name`, async () => {
    const { mail } = await addUser(room, { role: partner, teamId: 1, partner: { kind, id: 1 } });
    const { page, complaints } = await room.visit('/', { isStranger: true });
    await logIn(page, { mail, password });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    const menu = page.getByRole('navigation', { name: 'Main' });
    const own = named.get(`${kind} 1`) ?? [];
    const others = [...named].filter(([account]) => account !== `${kind} 1`).flatMap(([, names]) => names);
    const seen: string[] = [];
    for (const link of await menu.getByRole('link').all()) {
      const title = await link.innerText();
      await link.click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      if (title === 'Figures') await page.getByText(money).first().waitFor();
      if (title === 'Campaigns') {
        const paced = page.getByRole('region', { name: 'Atlas summer film' });
        await paced.getByRole('button', { name: 'Is it on plan?' }).click();
        await paced.getByText(/^\$[\d,.]+ delivered, \$[\d,.]+ due by now \([\d,.]+ %\)\./).waitFor();
        await page.getByText('As a table').click();
      }
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await inScheme(page, colorScheme);
        assert.deepEqual(await violations(page, true), [], `${title}, ${colorScheme}`);
      }
      seen.push(await page.locator('body').innerText());
    }
    const shown = seen.join('\n');
    for (const name of own) assert.ok(shown.includes(name), `${name} is not shown`);
    // What another object is called, too, says nothing of it.
    const telling = others.filter((name) => !own.some((mine) => mine.includes(name)));
    assert.deepEqual(
      telling.filter((name) => shown.includes(name)),
      [],
    );
    assert.doesNotMatch(shown, /\b(Profit|Margin)\b/);
    await page.goto(`${room.url}/console/Campaign/1/settings`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual([refused, complaints], [[], []]);
  });
}

test('an administrator invites a partner of an account', async () => {
  const { page } = await room.visit('/console/settings/users');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Mail address').fill('partner@example.com');
  await dialog.getByRole('radio', { name: 'Partner' }).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('is required for a partner').waitFor();
  const [name = ''] = named.get('Advertiser 1') ?? [];
  await dialog.getByRole('combobox', { name: 'Of' }).fill(name);
  await page.getByRole('option', { name: `${name} (1)` }).click();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText('#invite=').first().waitFor();
  const users = await room.api<readonly Stored[]>('/api/auth/user/get');
  assert.partialDeepStrictEqual(users.at(-1), {
    Mail: 'partner@example.com',
    Role: partner,
    AdvertiserId: 1,
  });
});
