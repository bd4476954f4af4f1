import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { failSending } from '../support/fail-sending.ts';
import { fireAlert } from '../support/fire-alert.ts';
import type { ConsoleRoom } from './console-room.ts';
import { countRequests, openDemoRoom } from './filled-room.ts';

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
  await countRequests(room);
});
after(() => room?.close());

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Report' }).getByRole('row');
const cellOf = (page: Page, row: string | RegExp, index: number) =>
  rowsOf(page).filter({ hasText: row }).getByRole('cell').nth(index);
const searchOf = (page: Page) => new URL(page.url()).searchParams;

/** Waits until an address says so, and answers what it says. */
async function addressOf(page: Page, name: string, wanted: RegExp | null): Promise<string | null> {
  await page.waitForURL(({ searchParams }) => {
    const value = searchParams.get(name);
    return wanted === null ? value === null : value !== null && wanted.test(value);
  });
  return searchOf(page).get(name);
}

test('a question is put together, stands in its address, and the address shows it again', async () => {
  const { page, complaints } = await room.visit('/console/reports?period=Yesterday');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }).waitFor();
  // The demonstration is of today.
  await page.getByText('Nothing was counted').waitFor();
  await page.getByRole('button', { name: 'Today by the hour' }).click();
  await rowsOf(page).first().waitFor();
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: /^Supply The tag/ }).click();
  await page.getByRole('heading', { name: 'Reports' }).click();
  assert.equal(await addressOf(page, 'by', /Supply/), 'Hour,Supply');
  const link = rowsOf(page).getByRole('link', { name: 'Nordlicht pre-roll' }).first();
  assert.match((await link.getAttribute('href')) ?? '', /\/console\/VastTag\/1\/statistics$/);
  assert.match(await cellOf(page, /^All/, 2).innerText(), /^[1-9]/);
  await page
    .getByRole('columnheader', { name: 'Wins' })
    .or(page.getByRole('columnheader', { name: 'Requests' }))
    .getByRole('button')
    .click();
  await addressOf(page, 'sort', /^-Requests$/);
  const address = page.url();
  const text = await rowsOf(page).allInnerTexts();
  await page.getByRole('button', { name: 'Only Supply Nordlicht pre-roll' }).first().click();
  await addressOf(page, 'filter', /VastTag:1/);
  await page.getByRole('button', { name: 'Remove the filter of Supply' }).click();
  await addressOf(page, 'filter', null);
  const other = await room.visit(new URL(address).pathname + new URL(address).search, {
    timezoneId: 'Asia/Tokyo',
  });
  await rowsOf(other.page).filter({ hasText: /^All/ }).waitFor();
  assert.deepEqual(await rowsOf(other.page).allInnerTexts(), text, 'whoever is given it sees the same');
  assert.deepEqual([...complaints, ...other.complaints], []);
});

test('what is not counted together is not offered, or said with what can be asked', async () => {
  const { page } = await room.visit('/console/reports?period=Today&by=Creative&zone=Europe/Berlin');
  await page.getByText('Requests, Fill rate: not counted by Creative').waitFor();
  await page.getByText('only UTC days are kept').waitFor();
  await page.getByRole('combobox', { name: 'Group by' }).click();
  const disabledOption = async (name: RegExp, reason: RegExp) => {
    const option = page.getByRole('option', { name });
    assert.equal(await option.getAttribute('data-combobox-disabled'), 'true', String(name));
    assert.match(await option.innerText(), reason);
  };
  await disabledOption(/^Country/, /Not counted together with Creative/);
  await disabledOption(/^Hour/, /Only days are kept by Creative/);
  await page.goto(
    new URL('/console/reports?period=Today&by=Hour,Country&zone=Asia/Kolkata', page.url()).href,
  );
  await page.getByRole('row', { name: /^All/ }).first().waitFor();
  assert.equal(await page.getByText('only UTC days are kept').count(), 0);
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await disabledOption(/^Operating system|^Os/i, /Only days are kept by Country|Not counted together with/);
  const device = page.getByRole('option', { name: /^Device/ });
  assert.equal(await device.getAttribute('data-combobox-disabled'), null);
  // Quarter hours of 31 days; what is compared goes further back, so days are those of UTC.
  await page.goto(
    new URL('/console/reports?period=LastMonth&by=Country&compare=Month&zone=Asia/Kolkata', page.url()).href,
  );
  await page.getByText('By Country, only UTC days are kept for this time').waitFor();
});

test('a refusal is a click away from an answer', async () => {
  const { page } = await room.visit(
    '/console/reports?zone=Europe/Berlin&from=2024-01-01&to=2024-01-31&by=Hour',
  );
  await page.getByRole('alert').getByRole('button', { name: 'Use UTC days' }).click();
  await addressOf(page, 'by', /^Day$/);
  await addressOf(page, 'zone', /^UTC$/);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
});

test('the table has the values of a dimension as columns, and the file has what the API answers', async () => {
  const { page } = await room.visit(
    '/console/reports?period=Today&zone=UTC&by=Supply,Demand&across=Demand&figure=Wins&figures=Requests,Wins',
  );
  const pivot = page.getByRole('table', { name: 'Wins by Supply, Demand' });
  await pivot.getByRole('row', { name: /^All/ }).waitFor();
  const heads = await pivot.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(heads.slice(0, 2), ['Supply', 'All']);
  assert.ok(heads.includes('none: supply itself'), heads.join());
  const [, all = '', ...others] = await pivot
    .getByRole('row', { name: /^All/ })
    .getByRole('cell')
    .allInnerTexts();
  const sum = others.map(Number).reduce((one, more) => one + more, 0);
  assert.equal(Number(all), sum);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const saved = await download;
  assert.match(saved.suggestedFilename(), /^Report-Supply-Demand_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile(await saved.path(), 'utf8');
  assert.match(file, /^\uFEFFSupplyKind,Supply,SupplyName,DemandKind,Demand,DemandName,Requests,Wins\r\n/);
  assert.match(file, /VastTag,1,Nordlicht pre-roll/);
});

test('pairs are shown without what supply counts by itself, unless one wants it', async () => {
  const { page } = await room.visit(
    '/console/reports?period=Today&zone=UTC&by=Supply,Demand&figures=Requests,Calls,Wins',
  );
  const quiet = rowsOf(page).filter({ hasText: 'none: supply itself' });
  const shown = page.getByRole('switch', { name: /^Show \d+ rows? without demand or figures/ });
  await shown.waitFor();
  assert.equal(await quiet.count(), 0);
  const [sums] = await rowsOf(page).filter({ hasText: /^All/ }).allInnerTexts();
  await shown.check();
  await quiet.first().waitFor();
  assert.equal(await addressOf(page, 'quiet', /shown/), 'shown');
  assert.deepEqual(await rowsOf(page).filter({ hasText: /^All/ }).allInnerTexts(), [sums]);
});

test('a rate of nothing, a part of a week, and what it is compared with are said', async () => {
  const { page, complaints } = await room.visit(
    '/console/reports?period=Today&zone=UTC&by=Demand&figures=WinRate',
  );
  await rowsOf(page).filter({ hasText: 'none: supply itself' }).waitFor();
  assert.equal(await cellOf(page, 'none: supply itself', 1).innerText(), '–');
  const week = await room.visit(
    '/console/reports?period=Today&zone=UTC&by=Week&figures=Requests&compare=Week',
  );
  await rowsOf(week.page)
    .filter({ hasText: /Week of .+ \(part\)/ })
    .waitFor();
  await week.page.getByText(/^(Nothing to compare with yet|Compared with \d.+ until \d)/).waitFor();
  await week.page.getByRole('combobox', { name: 'Compared with' }).click();
  await week.page.getByRole('option', { name: 'A month before' }).click();
  assert.equal(await addressOf(week.page, 'compare', /Month/), 'Month');
  await week.page
    .getByText(/^Compared with .+ until|Without a counterpart|Nothing to compare with yet/)
    .waitFor();
  assert.deepEqual([...complaints, ...week.complaints], []);
});

test('on paper a report is its whole table, without menus', async () => {
  const { page } = await room.visit('/console/reports?period=Today&zone=UTC&by=Hour,Supply', {
    viewport: { width: 1000, height: 300 },
  });
  const table = page.getByRole('table', { name: 'Report' });
  await table.waitFor();
  const count = Number(await table.getAttribute('aria-rowcount'));
  await page.emulateMedia({ media: 'print' });
  // With the row of the sums.
  while ((await table.getByRole('row').count()) !== count + 1);
  for (const hidden of [page.getByRole('navigation').first(), page.getByRole('button', { name: 'CSV' })])
    assert.ok(!(await hidden.isVisible()));
  await page.getByText(/^Today · .* · by Hour, Supply$/).waitFor();
  const isCut = await table.evaluate((box) => box.scrollHeight > box.clientHeight + 1);
  assert.ok(!isCut, 'the table is cut');
});

test('a report is saved, brought back, changed, and says when it is sent', async () => {
  const { page } = await room.visit('/console/reports?period=Today&zone=UTC&by=Supply&figures=Requests');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Supply <b>today</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Supply <b>today</b>' }).waitFor();
  const Id = Number(await addressOf(page, 'saved', /\d/));
  const stored = () => room.api<Readonly<Record<string, unknown>>>(`/api/report/get?Id=${Id}`);
  const { Period, GroupBy, Measures, Chart } = await stored();
  assert.deepEqual(
    { Period, GroupBy, Measures, Chart },
    { Period: 'Today', GroupBy: ['Supply'], Measures: ['Requests'], Chart: 2 },
  );
  assert.equal(
    await page.getByRole('button', { name: 'Save', exact: true }).count(),
    0,
    'nothing is changed',
  );
  await page.getByRole('button', { name: 'Saved' }).click();
  await page.getByRole('menuitem', { name: 'Supply of the week' }).click();
  await page.getByRole('heading', { level: 1, name: 'Supply of the week' }).waitFor();
  await page.getByRole('button', { name: 'Saved' }).click();
  await page.getByRole('menuitem', { name: 'Supply <b>today</b>' }).click();
  await page.getByText('Table only').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' });
  assert.equal((await stored()).Chart, 0);
  await room.api('/api/report/update', { Report: { Id, Schedule: 3, Mails: ['desk@media.example'] } });
  await page.reload();
  await page.getByText(/^Cannot be sent: this server sends no mail because BOURSE_SMTP_URL/).waitFor();
  await page.getByRole('button', { name: 'Schedule and receivers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule and receivers' });
  assert.equal(await dialog.locator('input#field-Schedule').inputValue(), 'On the first of the month');
  await dialog.locator('#field-WebhookUrl').fill('nowhere');
  await dialog.getByText(/must be an? .*URL/).waitFor();
  await dialog.locator('#field-WebhookUrl').fill('https://hooks.example/reports');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(/^Sent to the webhook alone: this server sends no mail/).waitFor();
  assert.equal((await stored()).WebhookUrl, 'https://hooks.example/reports');
  await page.goto(`${room.url}/console/Report/${Id}`);
  await page.getByRole('heading', { level: 1, name: 'Supply <b>today</b>' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Parts of the object' })
    .getByRole('link', { name: 'Sendings' })
    .click();
  await page.getByText('It has not been sent yet').waitFor();
});

for (const [address, figure] of [
  ['/console/VastTag/1', 'Requests'],
  ['/console/Publisher/1', 'Requests'],
  ['/console/Campaign/1', 'Bids'],
  ['/console/DspVastTag/1', 'Calls'],
] as const) {
  test(`statistics of ${address} are reports, of which one can ask more`, async () => {
    const { page } = await room.visit(`${address}/statistics`);
    const total = page.getByRole('row', { name: /^All / });
    await page
      .getByRole('columnheader', { name: figure })
      .or(page.getByText('Nothing was counted'))
      .first()
      .waitFor();
    if (await total.count()) assert.match(await total.innerText(), /^All\s+[1-9]/);
    await page.getByRole('link', { name: 'In reports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    assert.match(searchOf(page).get('filter') ?? '', /"Operator":"In"/);
  });
}

test('a suggested alert is added by one click, and is no longer suggested', async () => {
  const { page, complaints } = await room.visit('/console/alerts');
  const suggested = page.getByRole('region', { name: 'Suggested alerts' });
  await suggested.getByRole('button', { name: /^A DSP cannot be called/ }).click();
  await page.getByRole('list', { name: 'Alerts' }).getByRole('link', { name: 'DSP unavailable' }).waitFor();
  await suggested.getByRole('button', { name: /^A DSP cannot be called/ }).waitFor({ state: 'detached' });
  assert.equal(await suggested.getByRole('checkbox').count(), 0, 'this server sends no mail');
  assert.equal(await suggested.getByRole('button').count(), 3);
  assert.deepEqual(complaints, []);
});

test('an alert says in words what it means, fires on the overview, and is muted', async () => {
  const { page, complaints } = await room.visit('/console/Alert/new');
  await page.locator('#field-Name').fill('No clicks');
  for (const [name, option] of [
    ['Condition', 'The figure is 0'],
    ['Measure', 'Clicks: Clicks'],
  ] as const) {
    await page.locator(`#field-${name}`).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await page.locator('#field-HoldMinutes').fill('0');
  await page.getByText('There are no clicks over 1 hour. It fires at once').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'No clicks' }).waitFor();
  const [, id] = /Alert\/(\d+)/.exec(page.url()) ?? [];
  await fireAlert(room.databaseUrl, Number(id));
  await page.goto(`${room.url}/`);
  const notice = page.getByRole('region', { name: /firing/ });
  const entry = notice.getByRole('listitem').filter({ hasText: 'No clicks' });
  await entry.waitFor();
  const report = await entry
    .getByRole('link', { name: '0: report of the figure, all together' })
    .getAttribute('href');
  assert.match(report ?? '', /\/console\/reports\?.*figures=Clicks/);
  await entry.getByRole('button', { name: /^Acknowledge/ }).click();
  await page.getByRole('dialog').getByLabel('Who is taking care of it').fill('Ada');
  await page.getByRole('dialog').getByLabel('Note').fill('Called <b>them</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge it' }).click();
  await entry.getByText(/^Acknowledged by Ada, .*: Called <b>them<\/b>/).waitFor();
  await entry.getByRole('link', { name: 'No clicks' }).click();
  await page.getByRole('link', { name: 'Found', exact: true }).click();
  await page.getByRole('table', { name: 'What alerts have found' }).getByText('fires').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('button', { name: 'Mute No clicks' }).click();
  await page.getByRole('menuitem', { name: 'For an hour' }).click();
  await page.getByRole('button', { name: 'Unmute of No clicks' }).waitFor();
  await page.goto(`${room.url}/`);
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  assert.equal(await entry.count(), 0, 'what is muted is not said there');
  assert.deepEqual(complaints, []);
});

test('a report that could not be sent is said on the overview', async () => {
  const Report = { Name: 'Month <i>end</i>', Period: 'LastMonth', GroupBy: ['Day'], Measures: ['Revenue'] };
  const { Id } = await room.add('report', 'Report', Report);
  await failSending(room.databaseUrl, Id, 'asks for quarter hours; ask for whole days');
  const { page, complaints } = await room.visit('/');
  const notice = page.getByRole('region', { name: 'A report could not be sent' });
  await notice.getByText('asks for quarter hours; ask for whole days').waitFor();
  await notice.getByRole('link', { name: 'Month <i>end</i>' }).click();
  await page.getByRole('table', { name: 'Sendings' }).getByText('failed').waitFor();
  assert.deepEqual(complaints, []);
});

test('the statistics of demand show what its partner reports, and fetch it when they are told to', async () => {
  const path = '/api/ortb/dsprtbep/update';
  await room.api(path, { DspRtbEp: { Id: 1, StatsApi: 'http://127.0.0.1:1/stats' } });
  const { page } = await room.visit('/console/DspRtbEp/1/statistics');
  await page.getByRole('heading', { name: 'What the partner reports' }).waitFor();
  await page.getByRole('button', { name: 'Fetch now' }).click();
  await page.getByText('It will be fetched soon').or(page.getByText('It cannot be fetched')).waitFor();
  const { Fetch } = await room.api<{ Fetch: { State: string } }>('/api/statistics/partner/fetch', {
    Entity: 'DspRtbEp',
    Id: 1,
  });
  assert.ok(['waiting', 'failed'].includes(Fetch.State), Fetch.State);
});
