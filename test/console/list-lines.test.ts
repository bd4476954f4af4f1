import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';
import { violations } from './violations.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openConsoleRoom();
});
after(() => room.close());

const newList = (Name: string, lines: readonly string[]) =>
  room.add('domainlist', 'DomainList', { Name, ListText: lines.join('\n') });
const textOf = async ({ Id }: Pick<Stored, 'Id'>) =>
  (await room.api<{ ListText: string }>(`/api/domainlist/get?Id=${Id}`)).ListText;
const linesOf = ({ Id }: Stored) => `/console/DomainList/${Id}/lines`;

const choose = (page: Page, name: string, content: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

describe('the lines of a list', () => {
  test('are added to and replaced, by a text or a file', async () => {
    const list = await newList('Changed', ['a.example', 'b.example']);
    const { page, complaints } = await room.visit(linesOf(list));
    await page.getByText('b.example').waitFor();
    await page.getByLabel('Or paste lines').fill('C.example\na.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 lines before, 3 now').waitFor();
    assert.equal(await textOf(list), 'c.example\na.example\nb.example');
    await page.getByText('Replace all').click();
    await choose(page, 'new.txt', 'd.example\n');
    await page.getByText('new.txt').waitFor();
    await page.getByRole('button', { name: 'Replace 3 lines' }).click();
    await page.getByText('3 lines before, 1 now').waitFor();
    assert.equal(await textOf(list), 'd.example');
    await page.getByRole('listitem').getByText('d.example').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('that are no domains are told with their numbers, and kept to be mended', async () => {
    const list = await newList('Refused', ['a.example']);
    const { page } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    await page.getByLabel('Or paste lines').fill('b.example\nhttps://c.example/\nname;"domain"');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('line 2 is "https://c.example/"', { exact: true }).waitFor();
    await alert.getByText(String.raw`line 3 is "name;\"domain\""`, { exact: true }).waitFor();
    await alert.getByText('send one bare domain per line').waitFor();
    assert.match(await page.getByLabel('Or paste lines').inputValue(), /^b\.example/);
    assert.equal(await textOf(list), 'a.example');
  });

  test('of a table are converted once that was seen and confirmed', async () => {
    const list = await newList('Converted', ['a.example']);
    const { page, complaints } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    await choose(
      page,
      'sites.csv',
      'rank,domain,ref\n1,b.example,x.test\n2,https://c.example/p,y.test\n3,,\n',
    );
    const offer = page.getByRole('alert', { name: 'Convert these lines?' });
    await offer.getByText('Column domain of 3.').waitFor();
    await offer.getByText('The host is taken from 1 URL.').waitFor();
    await offer.getByText('4 lines become 2 entries.').waitFor();
    await offer.getByText('from line 3: 2,https://c.example/p,y.test').waitFor();
    assert.deepEqual(await violations(page), []);
    await offer.getByLabel('Column').selectOption('ref');
    await offer.getByText('x.test', { exact: true }).waitFor();
    await offer.getByLabel('Column').selectOption('domain');
    await offer.getByText('b.example', { exact: true }).waitFor();
    await offer.getByRole('button', { name: 'Convert' }).click();
    await page.getByText('sites.csv, converted').waitFor();
    await offer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 line before, 3 now').waitFor();
    assert.equal(await textOf(list), 'b.example\nc.example\na.example');
    assert.deepEqual(complaints, []);
  });

  test('are sent without the bad ones, which have the numbers of the file; an error goes with its file', async () => {
    const list = await newList('Left out', ['a.example']);
    const { page, complaints } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    const table = 'rank,domain\n\n# note\n1,b c.example\n2,d.example\n3,e\n4,https://f.example/\n';
    await choose(page, 'ranks.csv', table);
    await page.getByRole('button', { name: 'Convert' }).click();
    await page.getByText('ranks.csv, converted').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const refusal = page.getByRole('alert', { name: 'The lines were not accepted' });
    await refusal.getByText('line 4 is "b c.example"', { exact: true }).waitFor();
    await refusal.getByText('line 6 is "e"', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Remove' }).click();
    await refusal.waitFor({ state: 'hidden' });
    await choose(page, 'other.txt', 'g.example\nh i.example\nj.example');
    await page.getByText('other.txt').waitFor();
    assert.equal(await refusal.count(), 0);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await refusal.getByText('line 2 is "h i.example"', { exact: true }).waitFor();
    await refusal.getByRole('button', { name: 'Leave out 1 bad line and send the rest' }).click();
    await page.getByText('1 line before, 3 now. 1 bad line left out.').waitFor();
    assert.equal(await textOf(list), 'g.example\nj.example\na.example');
    assert.deepEqual(complaints, []);
  });

  test('are read from a column of a spreadsheet', async () => {
    const list = await newList('Spreadsheet', ['a.example']);
    const { page, complaints } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    const input = page.locator('input[type=file]');
    const chooseSheet = (name: string, buffer: Buffer) =>
      input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await chooseSheet('broken.xlsx', Buffer.from('no archive'));
    const broken = page.getByText('The file cannot be read as XLSX');
    await broken.waitFor();
    const rows = [['Site', 'Owner'], ['b.example', 'x.test'], [], ['c.example', 'y.test']];
    await chooseSheet('sites.xlsx', Buffer.from(await writeXlsx({ sheets: [{ name: 'Sites', rows }] })));
    const offer = page.getByRole('alert', { name: 'Convert these lines?' });
    await offer.getByText('Column Site of 2.').waitFor();
    await broken.waitFor({ state: 'hidden' });
    await offer.getByText('from line 4: c.example').waitFor();
    await offer.getByRole('button', { name: 'Convert' }).click();
    await page.getByText('sites.xlsx, converted').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 line before, 3 now').waitFor();
    assert.equal(await textOf(list), 'b.example\nc.example\na.example');
    assert.deepEqual(complaints, []);
  });

  test('are not written over what another has written meanwhile', async () => {
    const list = await newList('Shared', ['a.example']);
    const { page } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    await room.api('/api/domainlist/update', { DomainList: { Id: list.Id, ListText: 'theirs.example' } });
    await page.getByLabel('Or paste lines').fill('mine.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The object has changed since it was fetched').waitFor();
    await page.getByRole('listitem').getByText('theirs.example').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 line before, 2 now').waitFor();
    assert.equal(await textOf(list), 'mine.example\ntheirs.example');
  });

  test('are searched and compared with those of before, all by the address', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `site${index}.example`);
    const list = await newList('Versions', many);
    const ListText = [...many.slice(2), 'last.example'].join('\n');
    await room.api('/api/domainlist/update', { DomainList: { Id: list.Id, ListText } });
    const { page, complaints } = await room.visit(`${linesOf(list)}?q=998`);
    await page.getByText('1 of 999 lines').waitFor();
    await page.getByLabel('Search the lines').fill('Site99');
    await page.getByText('11 of 999 lines').waitFor();
    await page.getByLabel('Search the lines').fill('');
    await page.getByText('999 lines, 1 to 200 shown').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('999 lines, 201 to 400 shown').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option').first().click();
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.getByText('last.example').waitFor();
    await page.getByText('Removed since').click();
    await page.reload();
    await page.getByText('site0.example').waitFor();
    assert.equal(await page.getByRole('listitem').count(), 2);
    assert.deepEqual(complaints, []);
  });

  test('of an earlier version can come back', async () => {
    const list = await newList('Restored', ['first.example', 'second.example']);
    await room.api('/api/domainlist/update', { DomainList: { Id: list.Id, ListText: 'third.example' } });
    const { page, complaints } = await room.visit(linesOf(list));
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Go back to these' }).click();
    await page.getByRole('button', { name: 'Replace 1 line' }).click();
    await page.getByText('1 line before, 2 now').waitFor();
    assert.equal(await textOf(list), 'first.example\nsecond.example');
    assert.deepEqual(complaints, []);
  });

  test('are sent with progress that can be cancelled', async () => {
    const list = await newList('Cancelled', ['a.example']);
    const { page } = await room.visit(linesOf(list));
    await page.getByText('a.example').waitFor();
    await page.route('**/domainlist/update', () => undefined);
    await page.getByLabel('Or paste lines').fill('b.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Sending').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Sending').waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Or paste lines').inputValue(), 'b.example');
    assert.equal(await textOf(list), 'a.example');
  });

  test('are what a new list can begin with, named after its file', async () => {
    const { page, complaints } = await room.visit('/console/DomainList/new');
    await choose(page, 'gambling.txt', 'casino.example\nbet.example');
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'gambling');
    await page.getByRole('button', { name: 'Add', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'gambling' }).waitFor();
    await page.getByRole('listitem').getByText('bet.example').waitFor();
    const all = await room.api<readonly Stored[]>('/api/domainlist/get');
    assert.equal(all.filter(({ Name }) => Name === 'gambling').length, 1);
    assert.deepEqual(complaints, []);
  });

  test('are copied with their list', async () => {
    const list = await newList('Original', ['a.example', 'b.example']);
    const { page } = await room.visit(`/console/DomainList/new?copy=${list.Id}`);
    await page.getByText('Original.txt').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Original (copy)' }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/')[3]);
    assert.equal(await textOf({ Id: id }), 'a.example\nb.example');
  });
});

test('who uses a list is told by name', async () => {
  const owner = await room.add('publisher', 'Publisher', publisher);
  const list = await newList('Used', ['a.example']);
  const unused = await newList('Unused', []);
  const values = { PublisherId: owner.Id, Name: 'Homepage', DomainsBrandsList: [list.Id] };
  await room.add('ortb/vasttag', 'VastTag', values);
  const { page, complaints } = await room.visit(`/console/DomainList/${list.Id}/used`);
  await page.getByRole('heading', { name: 'VAST Tags' }).waitFor();
  await page.getByRole('link', { name: 'Homepage' }).click();
  await page.getByRole('heading', { name: 'Homepage' }).waitFor();
  await page.goto(`${room.url}/console/DomainList/${unused.Id}/used`);
  await page.getByText('No object names this list').waitFor();
  assert.deepEqual(complaints, []);
});
