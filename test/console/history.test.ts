import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';

let room: ConsoleRoom;
let tag: Stored;
const updates = 60;
before(async () => {
  room = await openConsoleRoom();
  const owner = await room.add('publisher', 'Publisher', publisher);
  tag = await room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name: 'Homepage', Bidfloor: 1 });
  for (let index = 1; index <= updates; index += 1) {
    await room.api('/api/ortb/vasttag/update', { VastTag: { Id: tag.Id, MaxQps: index } });
  }
  await room.api('/api/ortb/vasttag/update', { VastTag: { Id: tag.Id, Bidfloor: 2.5 } });
});
after(() => room.close());

test('the history of the team begins with the last change, and goes on to the first', async () => {
  const { page, complaints } = await room.visit('/console/history');
  const rows = page.getByRole('article');
  await rows.first().getByText('2.5 CPM').waitFor();
  assert.equal(await rows.count(), 50);
  await page.getByRole('button', { name: 'Show older changes' }).click();
  await page.getByText(publisher.Name).waitFor();
  await page.getByRole('button', { name: 'Show older changes' }).waitFor({ state: 'hidden' });
  await rows.first().getByRole('link', { name: 'Homepage' }).click();
  await page.waitForURL(new RegExp(`/console/VastTag/${tag.Id}/history$`));
  assert.deepEqual(complaints, []);
});

test('one field of one kind is found, by the address too', async () => {
  const { page, complaints } = await room.visit('/console/history');
  await page.getByRole('article').first().waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'VAST Tag', exact: true }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('Bid floor');
  await page.getByRole('option', { name: 'Bid floor', exact: true }).click();
  await page.waitForURL(/entity=VastTag.*field=Bidfloor/);
  await page.getByText('2.5 CPM').waitFor();
  assert.equal(await page.getByRole('article').count(), 2);
  await page.reload();
  await page.getByText('2.5 CPM').waitFor();
  assert.equal(await page.getByRole('article').count(), 2);
  assert.deepEqual(complaints, []);
});

test('days are those of whoever looks, and what fits nothing leads back', async () => {
  const { page } = await room.visit('/console/history?from=2020-01-01&to=2020-01-31');
  await page.getByText('No changes match').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('article').first().waitFor();
  // The zone that was chosen counts, not that of the browser: there it is another day for half of each day.
  await page.evaluate(() => localStorage.setItem('bourse-time-zone', JSON.stringify('Pacific/Kiritimati')));
  await page.goto(new URL('/console/history', page.url()).href);
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Pacific/Kiritimati' });
  await page.getByLabel('To', { exact: true }).fill(today);
  await page.getByLabel('From', { exact: true }).fill(today);
  await page.getByRole('article').first().getByText('2.5 CPM').waitFor();
});

test('administrators are told of users and API keys', async () => {
  await room.api('/api/auth/apikey/add', { ApiKey: { Label: 'Nightly' } });
  const { page } = await room.visit('/console/history?entity=ApiKey');
  await page.getByRole('article').first().getByText('added').waitFor();
  assert.equal(await page.getByRole('article').count(), 1);
});
