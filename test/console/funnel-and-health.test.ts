import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../exchange/ask.ts';
import { furnish, type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { bidResponse, type MockDsp, startMockDsp } from '../exchange/mock-dsp.ts';
import { browser } from '../exchange/pop-room.ts';
import { type ConsoleRoom, openConsoleRoom } from './console-room.ts';

const requests = 20;
const faulty = '<b data-owned>out of order</b>';
let room: ConsoleRoom;
let dsp: MockDsp;
let busy: Stored;
let quiet: Stored;
let deep: Stored;

/** What the DSP answers, by turns: five bids that win, two below the floor, two answers without a bid, a fault. */
function answerAsPlanned(): void {
  let calls = 0;
  dsp.answer('/bid', (call) => {
    const turn = calls % 10;
    // The last call is of the quiet tag.
    const isBelow = turn === 5 || turn === 6 || calls === requests;
    calls += 1;
    if (isBelow) return bidResponse(call, { price: 0.5 });
    if (turn < 5) return bidResponse(call, { price: 5 });
    return turn === 9 ? { status: 500, body: faulty } : { status: 204, body: '' };
  });
}

const refusedInAll = async () => {
  const asked = { Period: 'Today', Measures: ['Refusals'], Total: 1 };
  const { Total } = await room.api<{ readonly Total: { readonly Refusals: number } }>(
    '/api/statistics/report',
    asked,
  );
  return Total.Refusals;
};

before(async () => {
  room = await openConsoleRoom({ allowPrivateDemand: true });
  dsp = await startMockDsp();
  const exchange = await furnish(room);
  const toDsp = { ZoneUrlUsEast: `${dsp.url}/bid`, VideoEnabled: 1 };
  deep = await exchange.add('ortb/dsprtbep', { Name: 'Deep <b>pockets</b>', ...toDsp });
  const elsewhere = { Name: 'Elsewhere', ...toDsp, Countries: [{ CC: 'AQ' }] };
  const other = await exchange.add('ortb/dsprtbep', elsewhere);
  const tag = { Bidfloor: 1, DspRtbEps: [deep.Id, other.Id], Tmax: 3000 };
  busy = await exchange.add('ortb/vasttag', { Name: 'Busy', ...tag });
  quiet = await exchange.add('ortb/vasttag', { Name: 'Quiet', ...tag });
  await exchange.served();
  answerAsPlanned();
  const play = (tag: Stored) => ask(zoneUrl(tag), { 'user-agent': browser });
  for (let count = 0; count < requests; count += 1) await play(busy);
  await play(quiet);
  // Of each request one for elsewhere, and what the DSP did not win.
  const refusals = 2 * requests + 2 - 10;
  for (let asked = 0; (await refusedInAll()) < refusals; asked += 1) assert.ok(asked < 2000, 'not counted');
});
after(async () => {
  await room?.close();
  await dsp?.close();
});

const stepsOf = (page: Page) => page.getByRole('list', { name: 'From request to ad' }).locator(':scope > li');

/** The bars as they are read: each by its name, with its count. */
async function shownSteps(page: Page): Promise<readonly (readonly [name: string, count: number])[]> {
  await stepsOf(page).first().waitFor();
  return Promise.all(
    (await stepsOf(page).all()).map(
      async (step) =>
        [
          await step.getByRole('link').first().innerText(),
          Number(await step.locator('b').first().innerText()),
        ] as const,
    ),
  );
}

test('the funnel of a supply object has what was asked, called, bid and won, to the last one', async () => {
  const { page, complaints } = await room.visit(`/console/VastTag/${busy.Id}`);
  await page.getByRole('main').getByRole('link', { name: 'Funnel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Funnel' }).waitFor();
  assert.deepEqual(await shownSteps(page), [
    ['Requests', requests],
    ['Offered to demand', 2 * requests],
    ['Called', requests],
    ['Answered', 18],
    ['Bids', 14],
    ['Won', 10],
    ['Shown', 0],
  ]);
  const texts = await stepsOf(page).allInnerTexts();
  for (const [index, text] of [
    [1, /refused by a rule[\s\S]*country not targeted 20[\s\S]*−20/],
    [2, /invalid response 2[\s\S]*−2/],
    [3, /no bid 4[\s\S]*−4/],
    [4, /below floor 4[\s\S]*−4[\s\S]*\$0\.002/],
    [5, /−10: not shown, or not yet/],
  ] as const)
    assert.match(texts[index] ?? '', text);
  const ranked = page.getByRole('table', { name: 'Reasons, by what they cost' }).getByRole('row');
  assert.match(await ranked.nth(1).innerText(), /below floor[\s\S]*\$0\.002[\s\S]*4[\s\S]*lower Bidfloor/);
  assert.deepEqual(complaints, []);
});

test('a reason of a demand object leads to auctions with exactly that reason', async () => {
  const { page } = await room.visit(`/console/funnel?demand=DspRtbEp:${deep.Id}&zone=UTC`);
  const [offered] = await shownSteps(page);
  assert.deepEqual(offered, ['Offered to demand', requests + 1]);
  const losses = page.getByRole('list', { name: /^Reasons: refused by a rule, or outbid/ });
  await losses.getByRole('link', { name: 'below floor' }).click();
  await page.waitForURL(/auctions\?.*reason=below_floor/);
  const auctions = page.getByRole('list', { name: 'Auctions, newest first' }).getByRole('button');
  await auctions.first().waitFor();
  const held = await room.api<readonly { readonly Id: number }[]>(
    `/api/exchange/auctions?DspRtbEp=${deep.Id}&Reason=below_floor`,
  );
  assert.ok(held.some(({ Id }) => Id === quiet.Id));
  assert.equal(await auctions.count(), held.length);
  for (const auction of await auctions.all()) {
    await auction.click();
    const outcome = page.getByRole('listitem').filter({ hasText: 'Deep <b>pockets</b>' });
    await outcome.getByRole('link', { name: 'below floor' }).waitFor();
  }
  assert.match(page.url(), /auction=/);
});

test('a pair has its own funnel, which its connection leads to, and its address holds all', async () => {
  const { page } = await room.visit(`/console/VastTag/${busy.Id}/connections`);
  await page.getByRole('link', { name: 'Funnel with Deep <b>pockets</b>' }).click();
  await page.waitForURL(/funnel\?.*supply=.*demand=/);
  const steps = await shownSteps(page);
  assert.deepEqual(steps.slice(0, 3), [
    ['Requests', requests],
    ['Offered to demand', requests],
    ['Called', requests],
  ]);
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await page.getByText('Nothing was counted').waitFor();
  const other = await room.visit(page.url().slice(room.url.length));
  await other.page.getByText('Nothing was counted').waitFor();
});

test('health shows the worst first, with what came last as a text', async () => {
  const { page, complaints } = await room.visit('/console/health');
  const table = page.getByRole('table', { name: 'Health' });
  const rows = table.getByRole('row');
  await rows.nth(1).waitFor();
  assert.match(await rows.nth(1).innerText(), /Deep <b>pockets<\/b>[\s\S]*ok\s+21\s+0 · 0 %\s+2 · 9\.5 %/i);
  assert.match(await rows.nth(2).innerText(), /Elsewhere[\s\S]*idle\s+0/i);
  await table.getByRole('button', { name: 'Details of Deep <b>pockets</b>' }).click();
  await page.getByRole('heading', { name: 'Its last faulty answer' }).waitFor();
  await page.getByText(faulty).waitFor();
  assert.equal(await page.locator('[data-owned]').count(), 0);
  await page.waitForURL(/open=DspRtbEp/);
  await table.getByRole('link', { name: 'Deep <b>pockets</b>' }).click();
  await page.getByText('the last request came').waitFor();
  await page.getByText(faulty).waitFor();
  assert.deepEqual(complaints, []);
});

test('supply has requests and fill, and what fits is found by state and name', async () => {
  const { page } = await room.visit('/console/health?side=supply');
  const rows = page.getByRole('table', { name: 'Health' }).getByRole('row');
  await rows.nth(1).waitFor();
  const texts = await rows.allInnerTexts();
  assert.match(texts.find((text) => text.includes('Busy')) ?? '', /ok\s+20\s+0\s+0 %\s+0 %/i);
  await page.getByLabel('Find by name').fill('quiet');
  await rows.filter({ hasText: 'Busy' }).waitFor({ state: 'detached' });
  await page.waitForURL(/q=quiet/);
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'paused (0)' }).click();
  await page.getByText('There are no matches.').waitFor();
});

test('a list is ordered and filtered by figures and health, and its file has them', async () => {
  const { page, complaints } = await room.visit('/console/VastTag');
  const table = page.getByRole('table', { name: 'VAST Tag' });
  const rows = table.getByRole('row');
  const head = (name: string) => table.getByRole('columnheader', { name, exact: true });
  await head('Requests today').getByRole('button').click();
  await rows.nth(1).filter({ hasText: 'Busy' }).filter({ hasText: 'ok' }).waitFor();
  await page.waitForURL(/sort=-Today\.Requests/);
  await head('Requests today').getByRole('button').click();
  await rows.nth(1).filter({ hasText: 'Quiet' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Margin today' }).click();
  await head('Margin today').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('requests to');
  await page.getByRole('option', { name: 'Requests today' }).click();
  await page.getByRole('combobox', { name: 'Values' }).fill('2');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('1 of 2', { exact: true }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Columns of this list as CSV' }).click();
  const [names = '', busyLine = '', ...others] = (await text(await (await download).createReadStream()))
    .trim()
    .split(/\r?\n/);
  assert.match(names, /Id,Name,Status,Health\.State,.*Today\.Requests,.*Today\.Margin/);
  assert.match(busyLine, /Busy,Active,ok,.*,20,0/);
  assert.deepEqual([others, complaints], [[], []]);
});

test('a change of the configuration is marked on a chart, and leads to its entry in the history', async () => {
  await room.api('/api/ortb/vasttag/update', { VastTag: { Id: busy.Id, Bidfloor: 2 } });
  for (const address of [
    `/console/VastTag/${busy.Id}/statistics?period=Today&by=Hour&zone=UTC`,
    '/console/reports?period=Today&by=Hour,Supply&zone=UTC',
    '/',
  ]) {
    const { page, complaints } = await room.visit(address);
    const mark = page.getByRole('button', { name: /^[A-L] · / }).last();
    await mark.focus();
    await page.keyboard.press('Enter');
    assert.equal(await mark.getAttribute('aria-expanded'), 'true');
    const entry = page.getByRole('listitem').filter({ hasText: 'changed Bid floor of VAST Tag' }).first();
    await entry.getByRole('link', { name: 'Busy' }).click();
    await page.locator('article[aria-current]').filter({ hasText: 'Bid floor' }).waitFor();
    assert.deepEqual(complaints, [], address);
  }
});

test('a report by reason says what each means; one by demand says what the supply counts by itself', async () => {
  const { page } = await room.visit(
    '/console/reports?period=Today&zone=Europe/Berlin&by=Hour,Reason&figures=Refusals,LostValue',
  );
  const rows = page.getByRole('table', { name: 'Report' }).getByRole('row');
  const row = rows.filter({ hasText: 'below floor' }).first();
  assert.match(await row.innerText(), /The price is below the floor; lower Bidfloor, .*or bid more\./);
  // Refusals are kept by hours, of which the days of every zone are made.
  assert.equal(await page.getByText('days of UTC').count(), 0);
  const help = (await row.getByRole('link', { name: 'below floor' }).getAttribute('href')) ?? '';
  assert.match(help, /console\/help\/why-no-ad#below_floor$/);
  await page.goto(`${room.url}/console/reports?period=Today&zone=UTC&by=Demand&figures=Requests,Calls`);
  const alone = page.getByRole('table', { name: 'Report' }).getByRole('row').filter({ hasText: 'none:' });
  assert.match(await alone.innerText(), /none: supply itself\s+21\s+0/);
  await page.getByText('What supply counts on its own').waitFor();
});
