import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';
import { violations } from './violations.ts';

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
  await rows.getByText(publisher.Name).waitFor();
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

test('prices of many are raised by percent, undone from the history as one entry, and what fails stops nothing', async () => {
  const { PublisherId } = await room.api<Stored>(`/api/ortb/vasttag/get?Id=${tag.Id}`);
  for (const Bidfloor of [1, 2]) {
    await room.add('ortb/vasttag', 'VastTag', { PublisherId, Name: `Price ${Bidfloor}`, Bidfloor });
  }
  // More than a price may be.
  await room.add('ortb/vasttag', 'VastTag', { PublisherId, Name: 'Price top', Bidfloor: 900_000 });
  const { page, complaints } = await room.visit('/console/VastTag?q=price');
  await page.getByText('3 of 4', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Change a field…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Field' }).fill('Bidfloor');
  await page.getByRole('option', { name: 'Bid floor', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'What to do' }).click();
  await page.getByRole('option', { name: 'Increase by percent' }).click();
  await dialog.getByRole('textbox', { name: 'Increase by percent' }).fill('20');
  await dialog.getByRole('button', { name: 'See the differences' }).click();
  await dialog.getByText('1 object cannot be changed and will be left out').waitFor();
  await dialog.getByText(/2 CPM → 2.4 CPM/).waitFor();
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await page.getByRole('dialog', { name: '2 changed' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.goto(new URL('/console/history', page.url()).href);
  const entry = page.getByRole('article').first();
  await entry.getByText('2 VAST Tags: Bid floor, different for each').waitFor();
  await entry.getByRole('link', { name: 'Each change' }).click();
  await page.getByRole('link', { name: 'Price 1' }).waitFor();
  assert.equal(await page.getByRole('article').count(), 2);
  await page.getByRole('button', { name: 'Revert all…' }).click();
  await dialog.getByText(/2.4 CPM → 2 CPM/).waitFor();
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await page.getByRole('dialog', { name: '2 changed' }).waitFor();
  const floors = (await room.api<readonly Stored[]>('/api/ortb/vasttag/get?Sort=Id&Fields=Bidfloor')).map(
    ({ Bidfloor }) => Bidfloor,
  );
  assert.deepEqual(floors, [2.5, 1, 2, 900_000]);
  assert.deepEqual(complaints, []);
});

/** Exports what a list shows; answers the file. */
async function exported(page: Page, item: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ]);
  assert.match(file.suggestedFilename(), /^VastTag_\d{4}-\d\d-\d\d\.(?:csv|xlsx)$/);
  return readFileSync(await file.path());
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('objects go out as a spreadsheet, come back with their differences, and are reverted as one entry', async () => {
  const { page, complaints } = await room.visit('/console/VastTag?q=price&sort=Id');
  const dialog = page.getByRole('dialog');
  const xlsx = await exported(page, 'All settings as XLSX');
  const [sheet] = (await readXlsx(xlsx)).sheets;
  const rows = sheet?.rows ?? assert.fail('no sheet');
  const column = (name: string) => rows[0]?.indexOf(name) ?? assert.fail(name);
  assert.deepEqual(rows[0]?.slice(0, 3), ['Id', 'Name', 'Status']);
  assert.deepEqual(
    rows.slice(1).map((row) => row[column('Name')]),
    ['Price 1', 'Price 2', 'Price top'],
  );
  (rows[1] ?? [])[column('Bidfloor')] = 1.25;
  (rows[2] ?? [])[column('Name')] = '=1+1';
  (rows[2] ?? [])[column('Countries')] = 'DE, US';
  const edited = Buffer.from(await writeXlsx({ sheets: [{ name: 'Edited', rows }] }));

  await page.getByRole('button', { name: 'Import' }).click();
  await choose(page, 'bad.csv', Buffer.from('Id,Bidfloor\n99,1\nx,2\n'));
  await dialog.getByText('Row 3, Id:').waitFor();
  assert.deepEqual(await violations(page), []);
  await choose(page, 'edited.xlsx', edited);
  await dialog.getByText('2 of 3 rows differ').waitFor();
  await dialog.getByText(/1 CPM → 1.25 CPM/).waitFor();
  await dialog.getByText(/Price 2 → =1\+1/).waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await page.getByRole('dialog', { name: '2 changed' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.goto(new URL('/console/history', page.url()).href);
  await page.getByRole('article').first().getByRole('link', { name: 'Each change' }).click();
  await page.getByRole('button', { name: 'Revert all…' }).click();
  await dialog.getByText(/1.25 CPM → 1 CPM/).waitFor();
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await page.getByRole('dialog', { name: '2 changed' }).waitFor();

  await page.goto(new URL('/console/VastTag?q=price&sort=Id', page.url()).href);
  const csv = String(await exported(page, 'Columns of this list as CSV'));
  await page.getByRole('button', { name: 'Import' }).click();
  await choose(page, 'as-it-was.csv', Buffer.from(csv));
  await dialog.getByText('3 rows, all as the objects are now').waitFor();
  await choose(
    page,
    'edited.csv',
    Buffer.from(csv.replace('Price 1', 'Price one').replace('Active', 'Inactive')),
  );
  await dialog.getByText(/Price 1 → Price one/).waitFor();
  await dialog.getByText(/Active → Inactive/).waitFor();
  await dialog.getByText(/Not read, as the exchange counts them: .*Today\.Requests/).waitFor();
  const [one] = await room.api<readonly Stored[]>(
    '/api/ortb/vasttag/get?Query=price&Sort=Id&Fields=Name,Bidfloor',
  );
  assert.deepEqual([one?.Name, one?.Bidfloor], ['Price 1', 1]);
  assert.deepEqual(complaints, []);
});

test('what a switch has done is undone by a key, and what hangs on an account is told before', async () => {
  const { page, complaints } = await room.visit(`/console/VastTag/${tag.Id}`);
  await page.getByRole('switch', { name: 'On', exact: true }).press('Space');
  const notice = page.getByRole('region', { name: 'Just done' });
  await notice.getByText('Homepage was deactivated').waitFor();
  await page.keyboard.press('Control+z');
  await notice.getByText('Homepage was activated').waitFor();
  await page.getByRole('switch', { name: 'On', exact: true }).waitFor();

  await page.goto(new URL('/console/Publisher', page.url()).href);
  await page.getByRole('switch', { name: `${publisher.Name} is active` }).press('Space');
  const question = page.getByRole('dialog', { name: `Deactivate ${publisher.Name}?` });
  await question.getByText(/VAST Tags.*: 4/i).waitFor();
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await notice.getByRole('button', { name: 'Undo' }).last().click();
  await notice.getByText(`${publisher.Name} was activated`).waitFor();
  assert.equal((await room.api<Stored>('/api/publisher/get?Id=1')).Status, 0);
  assert.deepEqual(complaints, []);
});
