import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readConfigText } from '../../src/management/config/config-text.ts';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored, type Values } from './console-room.ts';

let room: ConsoleRoom;
let tag: Stored;
before(async () => {
  room = await openConsoleRoom();
  const owner = await room.add('publisher', 'Publisher', publisher);
  tag = await room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name: 'Homepage', Bidfloor: 1 });
});
after(() => room.close());

const floor = async () => (await room.api<Stored>(`/api/ortb/vasttag/get?Id=${tag.Id}`)).Bidfloor;
const documentOf = (Bidfloor: number, more: Values = {}) =>
  JSON.stringify({
    Version: 1,
    VastTag: [{ Name: 'Homepage', Publisher: publisher.Name, Bidfloor, ...more }],
  });

for (const [form, read] of [
  ['YAML', (text: string) => readConfigText(text, 'the file')],
  ['JSON', (text: string) => JSON.parse(text)],
] as const) {
  test(`the configuration is given as ${form}`, async () => {
    const { page, complaints } = await room.visit('/console/configuration');
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${form}` }).click();
    const download = await begun;
    assert.equal(download.suggestedFilename(), `bourse.${form.toLowerCase()}`);
    const text = readFileSync(await download.path(), 'utf8');
    assert.deepEqual(read(text), await room.api('/api/config/export'));
    assert.deepEqual(complaints, []);
  });
}

test('a file is shown object by object, and then applied', async () => {
  const { page, complaints } = await room.visit('/console/configuration');
  const buffer = Buffer.from(documentOf(2.5));
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer });
  await page.getByText('to change', { exact: true }).waitFor();
  await page.getByRole('deletion').getByText('1', { exact: true }).waitFor();
  await page.getByRole('insertion').getByText('2.5', { exact: true }).waitFor();
  assert.equal(await floor(), 1);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('changed', { exact: true }).waitFor();
  assert.equal(await floor(), 2.5);
  await page.getByRole('link', { name: 'Homepage' }).click();
  await page.getByRole('heading', { name: 'Homepage' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('what is applied is what was looked at', async () => {
  const { page } = await room.visit('/console/configuration');
  await page.getByLabel('Or paste a document').fill(documentOf(4));
  await page.getByRole('button', { name: 'Show the plan' }).click();
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  await apply.waitFor();
  await room.api('/api/ortb/vasttag/update', { VastTag: { Id: tag.Id, Bidfloor: 9 } });
  await apply.click();
  await page.getByText('so nothing was applied').waitFor();
  await page.getByRole('deletion').getByText('9', { exact: true }).waitFor();
  assert.equal(await floor(), 9);
  await apply.click();
  await page.getByText('changed', { exact: true }).waitFor();
  assert.equal(await floor(), 4);
});

test('objects that a document does not name are left alone, unless the address says otherwise', async () => {
  const { page } = await room.visit('/console/configuration');
  await page.getByLabel('Or paste a document').fill('Version: 1\n');
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('there is nothing to change').waitFor();
  await page.getByRole('switch', { name: 'Deactivate objects that are not in it' }).click();
  await page.waitForURL(/missing=deactivate/);
  await page.reload();
  assert.equal(await page.getByLabel('Or paste a document').inputValue(), 'Version: 1\n');
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
});

for (const [what, text, told] of [
  ['a fault at its place', documentOf(1, { Bidflor: 1 }), /Homepage.*Bidflor/],
  ['malformed YAML with its line', 'Version: 1\nVastTag: [', /line 2/],
  ['what is no configuration', 'nothing', /contains no configuration/],
] as const) {
  test(`a document is refused with ${what}`, async () => {
    const { page } = await room.visit('/console/configuration');
    await page.getByLabel('Or paste a document').fill(text);
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByRole('alert').getByText(told).first().waitFor();
  });
}
