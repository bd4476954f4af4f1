import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import type { ConsoleRoom, Stored } from './console-room.ts';
import { billYesterday, countFloorRule, openDemoRoom, sampleBidsYesterday } from './filled-room.ts';
import { violations } from './violations.ts';

let room: ConsoleRoom;
let demand: Stored;

before(async () => {
  room = await openDemoRoom();
  const { api } = room;
  const [first] = await api<readonly Stored[]>('/api/ortb/dspvasttag/get');
  demand = first ?? assert.fail('there is no DSP VAST tag');
  await billYesterday(room, {
    supply: { kind: 'VastTag', id: 1 },
    demand: { kind: 'DspVastTag', id: demand.Id },
  });
  await api('/api/ortb/dspvasttag/deactivate', { DspRtbEp: { Id: demand.Id } });
});
after(() => room?.close());

test('the overview tells which DSP lost the revenue, and one click leads to who deactivated it', async () => {
  const { page, complaints } = await room.visit('/');
  const card = page.getByRole('region', { name: 'What moved' });
  const row = card
    .getByRole('listitem')
    .filter({ hasText: String(demand.Name) })
    .first();
  await row.waitFor();
  await row.getByRole('link', { name: 'deactivated' }).click();
  await page.waitForURL(/\/console\/DspVastTag\/\d+\/history\?revision=\d+/);
  await page.getByText('deactivated').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('what lost most since this time yesterday needs attention first, and its name leads to its health', async () => {
  const { page, complaints } = await room.visit('/');
  const attention = page.locator('section', { has: page.getByRole('heading', { name: 'Needs attention' }) });
  const first = attention.getByRole('listitem').first();
  await first.getByText(/^\$\d+\.\d\d less than by now yesterday$/).waitFor();
  await first.getByRole('link').click();
  await page.waitForURL(/\/console\/VastTag\/1\/health/);
  assert.deepEqual(complaints, []);
});

test('another day stands in the address, and a compared report explains and sorts by changes', async () => {
  const { page, complaints } = await room.visit('/');
  await page.getByRole('radiogroup', { name: 'Day' }).getByText('Yesterday').click();
  await page.waitForURL(/from=\d{4}-\d\d-\d\d/);
  await page.getByText('compared with the day before').waitFor();
  await page.goto(
    `${room.url}/console/reports?period=Today&by=Demand&compare=Period&figures=Revenue,Impressions&zone=UTC`,
  );
  await page.getByRole('region', { name: 'What moved' }).waitFor();
  await page.getByRole('button', { name: 'Revenue change' }).click();
  await page.waitForURL(/sort=-Revenue.Change/);
  await page.getByRole('region', { name: 'What moved' }).getByText(String(demand.Name)).waitFor();
  assert.deepEqual(complaints, []);
});

test('the funnel begins with the whole team', async () => {
  const { page, complaints } = await room.visit('/console/funnel?period=Last7Days');
  await page.getByRole('heading', { name: 'All supply and demand' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('one click sets the floor that the evidence favours, or adds a rule for a country, and another undoes it', async () => {
  const { api } = room;
  await sampleBidsYesterday(room, { kind: 'VastTag', id: 1, country: 'US', cpm: 30 });
  const floorOf = async () => (await api<Stored>('/api/ortb/vasttag/get?Id=1')).Bidfloor;
  const before = await floorOf();
  const { page, complaints } = await room.visit('/console/VastTag/1/floors?price=2');
  await page.getByRole('button', { name: /^Set the bid floor to 3\d/ }).click();
  await page.getByText('The bid floor of').first().waitFor();
  assert.ok(Number(await floorOf()) >= 30);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByText(`is now ${before}`).first().waitFor();
  assert.equal(await floorOf(), before);
  await page.goto(`${room.url}/console/VastTag/1/floors?country=US&price=2`);
  await page.getByRole('button', { name: /^Add a floor rule for US: 3\d/ }).click();
  await page.getByText('The floor rule').first().waitFor();
  const rule = (await api<readonly Stored[]>('/api/floorrule/get')).at(-1);
  assert.deepEqual([rule?.VastTags, String(rule?.Name).split(', ').at(-1)], [[1], 'US']);
  assert.deepEqual(complaints, []);
});

test('a floor rule shows its floor and what it has brought, or how people get to know', async () => {
  const { api } = room;
  const rule = (await api<readonly Stored[]>('/api/floorrule/get')).find(({ Name }) => Name === 'Norway');
  assert.ok(rule);
  const { page, complaints } = await room.visit(`/console/FloorRule/${rule.Id}/results`);
  await page.getByText('Set by you until enough bids are known: 0 of 200').waitFor();
  await page.getByText('Not enough traffic yet to tell.').waitFor();
  await countFloorRule(room, rule.Id);
  await page.reload();
  await page.getByText('+50 % revenue per 1,000 requests, between +50 % and +50 %.').waitFor();
  const groups = page.getByRole('table', { name: 'With and without the rule' });
  await groups.getByRole('row', { name: /^With the rule .* \$1\.50$/ }).waitFor();
  await groups.getByRole('row', { name: /^Control group .* \$1\.00$/ }).waitFor();
  assert.deepEqual(complaints, []);
});

test('floors are typed into a table and imported from a spreadsheet, each as one change that can be undone', async () => {
  const { api } = room;
  const rulesNow = async () =>
    new Map(
      (await api<readonly Stored[]>('/api/floorrule/get?Fields=Id,Name,Floor,Status,Priority')).map(
        (rule) => [rule.Name, rule],
      ),
    );
  const { page, complaints } = await room.visit('/console/FloorRule');
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await page.getByLabel('Any country, Any device').fill('0.3');
  await page.getByRole('combobox', { name: 'Countries of a new row' }).fill('AT');
  await page.getByRole('option', { name: 'Austria (AT)' }).click();
  await page.getByRole('button', { name: 'Add the row' }).click();
  await page.getByLabel('AT, Any device').fill('x');
  await page.getByText('2 unsaved changes, one is not accepted').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('AT, Any device').fill('1.5 EUR');
  await page.keyboard.press('ArrowUp');
  assert.equal(
    await page.getByLabel('Any country, Any device').evaluate((cell) => cell.matches(':focus')),
    true,
  );
  await page.getByRole('button', { name: 'See the differences' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Floor AT * is new').waitFor();
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await dialog.getByText('2 changed').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  assert.equal((await rulesNow()).get('Floor AT *')?.Priority, 8);

  await page.getByRole('button', { name: 'Import' }).click();
  const rows = [
    ['Country', 'Any device', 'Phone'],
    ['AT', 1.75, 2],
    ['XX', 1, null],
  ];
  const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'Floors', rows }] }));
  await page.locator('input[type=file]').setInputFiles({ name: 'floors.xlsx', mimeType: '', buffer });
  await page.getByText('"XX" is not a value of Country').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Leave out 1 bad line and go on with the rest' }).click();
  await dialog.getByRole('button', { name: 'Change 2' }).click();
  await dialog.getByText('2 changed').waitFor();
  const imported = await rulesNow();
  assert.deepEqual([imported.get('Floor AT *')?.Floor, imported.get('Floor AT Phone')?.Floor], [1.75, 2]);
  const changes = await api<readonly { BatchId?: string }[]>('/api/history/get?Limit=2');
  assert.equal(new Set(changes.map(({ BatchId }) => BatchId)).size, 1);
  await dialog.getByRole('button', { name: 'Undo all' }).click();
  await dialog.getByText('2 changed').waitFor();
  const undone = await rulesNow();
  assert.deepEqual([undone.get('Floor AT *')?.Floor, undone.get('Floor AT Phone')?.Status], [1.5, 1]);
  assert.deepEqual(complaints, []);
});
