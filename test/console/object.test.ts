import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { weekHoursText } from '../../src/reference/week-hours.ts';
import { eventually } from '../support/eventually.ts';
import { type ConsoleRoom, logIn, openConsoleRoom, publisher, type Stored } from './console-room.ts';

let room: ConsoleRoom;
let owner: Stored;
before(async () => {
  room = await openConsoleRoom();
  owner = await room.add('publisher', 'Publisher', publisher);
});
after(() => room.close());

const newTag = (Name: string) =>
  room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name, Bidfloor: 1 });
const stored = ({ Id }: Stored) => room.api<Stored>(`/api/ortb/vasttag/get?Id=${Id}`);
const addressOf = ({ Id }: Stored) => `/console/VastTag/${Id}`;

describe('settings', () => {
  test('what is typed is checked by the server, saved, and stands in the history', async () => {
    const tag = await newTag('Homepage');
    const { page, complaints } = await room.visit(addressOf(tag));
    await page.getByLabel('Bid floor', { exact: true }).fill('-3');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('not accepted').waitFor();
    await page.getByLabel('Bid floor', { exact: true }).fill('2.5');
    await bar.getByText('1 unsaved change').waitFor();
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.waitFor({ state: 'hidden' });
    assert.equal((await stored(tag)).Bidfloor, 2.5);
    await page
      .getByRole('navigation', { name: 'Parts of the object' })
      .getByRole('link', { name: 'History' })
      .click();
    await page.getByText('$1.00').waitFor();
    await page.getByText('$2.50').waitFor();
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.waitFor({ state: 'hidden' });
    assert.equal((await stored(tag)).Bidfloor, 1);
    assert.deepEqual(complaints, []);
  });

  test('hours of the week are painted, by hand and by keys, and said in words', async () => {
    const { Id: AdvertiserId } = await room.add('advertiser', 'Advertiser', {
      ...{ Name: 'Brand', Mail: 'brand@example.com', Country: 'DE', Username: 'brand' },
    });
    const film = await room.add('campaign', 'Campaign', { AdvertiserId, Name: 'Film' });
    const hours = async () =>
      weekHoursText((await room.api<{ Hours: string }>(`/api/campaign/get?Id=${film.Id}`)).Hours);
    const { page, complaints } = await room.visit(`/console/Campaign/${film.Id}`);
    const grid = page.getByRole('grid', { name: 'Open hours: open hours' });
    const cell = (name: string) => grid.getByRole('gridcell', { name });
    await page.getByRole('button', { name: 'Weekdays 9–17' }).click();
    await cell('Saturday 10–11').hover();
    await page.mouse.down();
    await cell('Sunday 13–14').hover();
    await page.mouse.up();
    await page.getByText('Mon–Fri 09–17, Sat–Sun 10–14').waitFor();
    await grid.getByRole('button', { name: 'Sun, all day' }).click();
    await grid.getByRole('button', { name: 'Sun, all day' }).click();
    await cell('Monday 16–17').click();
    await cell('Monday 15–16').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Mon 09–15, Tue 09–15 and 16–17, Wed–Fri 09–17, Sat 10–14').waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    assert.equal(await hours(), 'Mon 09–15, Tue 09–15 and 16–17, Wed–Fri 09–17, Sat 10–14');
    assert.deepEqual(complaints, []);
  });

  test('what is typed outlives a reload and the end of the session', async () => {
    const tag = await newTag('Kept');
    const { page, context } = await room.visit(addressOf(tag));
    await page.getByLabel('Name', { exact: true }).fill('Kept, renamed');
    await page.getByText('1 unsaved change').waitFor();
    await context.clearCookies();
    await page.reload();
    await logIn(page, room);
    await page.getByText('1 unsaved change').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Kept, renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    assert.equal((await stored(tag)).Name, 'Kept, renamed');
  });

  for (const [answer, name, floor] of [
    ['Take theirs', 'Renamed here', 7],
    ['Keep mine', 'Renamed here', 3],
  ] as const) {
    test(`of what two have changed, the later one is asked: ${answer}`, async () => {
      const tag = await newTag('Shared');
      const { page } = await room.visit(addressOf(tag));
      await page.getByLabel('Bid floor', { exact: true }).fill('3');
      await page.getByLabel('Name', { exact: true }).fill('Renamed here');
      await page.getByText('2 unsaved changes').waitFor();
      await room.api('/api/ortb/vasttag/update', { VastTag: { Id: tag.Id, Bidfloor: 7, MaxQps: 50 } });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Someone else has changed this object').waitFor();
      await page.getByText('they have made it $7.00, you $3.00').waitFor();
      await page.getByRole('button', { name: answer }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
      const { Name, Bidfloor, MaxQps } = await stored(tag);
      assert.deepEqual({ Name, Bidfloor, MaxQps }, { Name: name, Bidfloor: floor, MaxQps: 50 });
    });
  }
});

test('an object is added once, with what is needed', async () => {
  const { page, complaints } = await room.visit('/console/VastTag/new');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  assert.ok(await add.isDisabled());
  await page.getByRole('combobox', { name: 'Publisher' }).click();
  await page.getByRole('option', { name: /Example Media/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Added here');
  await add.dblclick();
  await page.getByRole('heading', { name: 'Added here' }).waitFor();
  const all = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
  assert.equal(all.filter(({ Name }) => Name === 'Added here').length, 1);
  assert.deepEqual(complaints, []);
});

describe('an account', () => {
  test('shows what it owns, takes new objects and people, and has its money in the list', async () => {
    await newTag('Of the account');
    const { page, complaints } = await room.visit('/console/Publisher');
    const list = page.getByRole('table', { name: 'Publisher' });
    for (const name of ['Cost today', 'Revenue today', 'Profit today', 'Cost yesterday'])
      await list.getByRole('columnheader', { name }).waitFor();
    await list.getByText('$0.00').first().waitFor();
    await list.getByRole('link', { name: String(owner.Name) }).click();
    await page.getByRole('region', { name: 'Today' }).getByText('Profit').waitFor();
    const tags = page.getByRole('region', { name: 'VAST Tags', exact: true });
    await tags
      .getByRole('row', { name: /Of the account/ })
      .getByText('$0.00')
      .first()
      .waitFor();
    const files = page.getByRole('region', { name: 'ads.txt and sellers.json' });
    await files.getByText(`127.0.0.1, ${owner.Id}, DIRECT`).first().waitFor();
    await files.getByText('confidential', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Mail address').fill('seller@pub.example');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('list', { name: 'People' }).getByText('seller@pub.example').first().waitFor();
    const users = await room.api<readonly Stored[]>('/api/auth/user/get');
    const invited = users.find(({ Mail }) => Mail === 'seller@pub.example');
    assert.deepEqual([invited?.Role, invited?.PublisherId], [3, owner.Id]);
    await tags.getByRole('link', { name: 'New VAST Tag' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Added from its owner');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Added from its owner' }).waitFor();
    const found = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
    const added = found.find(({ Name }) => Name === 'Added from its owner');
    assert.equal(added?.PublisherId, owner.Id);
    assert.deepEqual(complaints, []);
  });
});

describe('the tag', () => {
  test('comes as code for each platform, to be copied, mailed and tested', async () => {
    const tag = await newTag('Players & "pages"');
    await room.api('/api/team/update', { Team: { GvlId: 77 } });
    const [{ ZoneUrl = '' } = {}] = tag.ZoneUrls as readonly { readonly ZoneUrl?: string }[];
    const { page, context, complaints } = await room.visit(addressOf(tag));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy the URL' }).click();
    assert.equal(await copied(), ZoneUrl);
    await page
      .getByRole('navigation', { name: 'Parts of the object' })
      .getByRole('link', { name: 'Integration' })
      .click();
    const platforms = page.getByRole('group', { name: 'Platform' }).getByRole('button');
    await platforms.first().waitFor();
    assert.ok((await platforms.allInnerTexts()).includes('JW Player'));
    await page.getByRole('button', { name: 'Google Ad Manager' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const url = await copied();
    assert.ok(url.startsWith(ZoneUrl.slice(0, ZoneUrl.indexOf('&ip='))), url);
    assert.match(url, /cb=%%CACHEBUSTER%%.*GDPR_CONSENT_77\}/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'ad-manager-vast.txt');
    assert.equal(readFileSync(await file.path(), 'utf8'), url);
    const mail = page.getByRole('link', { name: 'Mail to the publisher' });
    await page.waitForFunction(
      `document.querySelector('a[href^="mailto:"]').href.startsWith('mailto:${owner.Mail}?')`,
    );
    const { searchParams } = new URL((await mail.getAttribute('href')) ?? '');
    assert.ok(searchParams.get('body')?.includes(url));
    await page.getByRole('link', { name: 'Test now' }).click();
    await page.getByRole('button', { name: 'Run a test' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});

test('a form shows what has an effect with the chosen type, and what is set', async () => {
  const { page, complaints } = await room.visit('/console/Campaign/new');
  const choose = async (type: string) => {
    await page.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: type }).click();
  };
  const [media, markup] = [page.getByLabel('Media file URL'), page.getByLabel('Banner markup (HTML)')];
  await media.waitFor();
  assert.equal(await markup.count(), 0);
  await choose('Banner');
  await markup.fill('<p>Hello</p>');
  assert.equal(await media.count(), 0);
  await choose('Video');
  await media.waitFor();
  assert.equal(await markup.inputValue(), '<p>Hello</p>');
  assert.deepEqual(complaints, []);
});

test('flights are added with the next days, changed by keyboard, and removed', async () => {
  const { Id: AdvertiserId } = await room.add('advertiser', 'Advertiser', {
    ...publisher,
    Username: 'flown',
  });
  const film = await room.add('campaign', 'Campaign', { AdvertiserId, Name: 'Spring' });
  const { page, complaints } = await room.visit(`/console/Campaign/${film.Id}`);
  const add = page.getByRole('button', { name: 'Add a flight' });
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  };
  const frequency = page.getByRole('group', { name: 'Frequency cap' });
  await frequency.getByLabel('Frequency cap').fill('3');
  await frequency.getByLabel('Frequency window').fill('24');
  for (const words of ['At most', 'in any', 'at least', 'apart', 'for each'])
    await frequency.getByText(words, { exact: true }).waitFor();
  await add.click();
  await page.getByLabel('Flight 1: Start', { exact: true }).fill('2027-03-01');
  await page.getByLabel('Flight 1: End', { exact: true }).fill('2027-03-07');
  await page.getByLabel('Flight 1: End: time').fill('18:00');
  await page.getByLabel('Flight 1: Impressions').fill('5000');
  await add.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Flight 2: Spend').fill('12.5');
  await save();
  await frequency.getByLabel('Frequency cap').fill('5');
  await save();
  await page.getByRole('link', { name: 'History' }).last().click();
  const [last, before] = [page.getByRole('article').first(), page.getByRole('article').nth(1)];
  assert.match(
    (await last.textContent()) ?? '',
    /Frequency capAt most 3 impressions → At most 5 impressions$/,
  );
  assert.match((await before.textContent()) ?? '', /Frequency capempty → At most 3 impressions in any 24 h/);
  await page.goBack();
  const flights = async () => {
    const all = await room.api<readonly { Id: number; Flights: unknown }[]>('/api/campaign/get');
    return all.find(({ Id }) => Id === film.Id)?.Flights;
  };
  const first = { Start: '2027-03-01', End: '2027-03-07T18:00', Impressions: 5000, Spend: 0 };
  const second = { Start: '2027-03-08', End: '2027-03-08', Impressions: 5000, Spend: 12.5 };
  assert.deepEqual(await flights(), [first, second]);
  await page.getByRole('button', { name: 'Remove flight 1' }).click();
  await save();
  assert.deepEqual(await flights(), [second]);
  assert.deepEqual(complaints, []);
  // Outside its flights, the day still has limits.
  await room.api('/api/campaign/update', {
    Campaign: { Id: film.Id, ImpressionsDailyLimit: 40, SpendDailyLimit: 10, TimeZone: 'Europe/Berlin' },
  });
  await page.getByRole('link', { name: 'Pace' }).click();
  await page.getByText(/0 delivered, \d+ due by now/).waitFor();
  await page.getByText('Europe/Berlin').waitFor();
  await page.getByText('Spend', { exact: true }).click();
  await page.getByText('As fast as possible: $0.00 delivered of $10.00').waitFor();
  await page.getByText('As a table').click();
  await page.getByRole('table', { name: 'Spend by time' }).getByText('24:00').waitFor();
  await page.goto(new URL('/console/Campaign', page.url()).href);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Find a column').fill('frequency');
  await page.getByRole('checkbox', { name: 'Frequency cap' }).check();
  assert.equal(await page.getByRole('checkbox', { name: /^Frequency/ }).count(), 1);
  await page
    .getByRole('cell', {
      name: 'At most 5 impressions in any 24 h, for each user ID; viewers without it: show, uncounted',
    })
    .waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(new URL(`/console/Campaign/${film.Id}/history`, page.url()).href);
  const tab = page
    .getByRole('navigation', { name: 'Parts of the object' })
    .getByRole('link', { name: 'History' });
  await eventually(async () => {
    const { x = 390, width = 0 } = (await tab.boundingBox()) ?? {};
    assert.ok(x + width <= 390);
  }, 'the last tab is scrolled to');
});

test('connections are cut, all at once or one by one, and one click restores them', async () => {
  const company = await room.add('advertiser', 'Advertiser', { ...publisher, Username: 'buyer' });
  const bidder = (Name: string) => room.add('ortb/dsprtbep', 'DspRtbEp', { AdvertiserId: company.Id, Name });
  const DspRtbEps = [(await bidder('North')).Id, (await bidder('South')).Id];
  const tag = await room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name: 'Cut', DspRtbEps });
  const { page, complaints } = await room.visit(`${addressOf(tag)}/connections`);
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  };
  await page.getByRole('button', { name: 'Disconnect all DSP RTB EPs' }).click();
  await save();
  assert.deepEqual((await stored(tag)).DspRtbEps, []);
  const notices = page.getByRole('region', { name: 'Just done' });
  await notices.getByText('2 connections of Cut were cut').waitFor();
  await notices.getByRole('button', { name: 'Undo' }).click();
  await notices.getByText('2 connections of Cut were restored').waitFor();
  assert.deepEqual((await stored(tag)).DspRtbEps, DspRtbEps);
  await page.getByRole('link', { name: 'North', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).first().click();
  await save();
  await notices.getByText('A connection of Cut was cut').waitFor();
  await page.keyboard.press('Control+z');
  await notices.getByText('A connection of Cut was restored').waitFor();
  assert.deepEqual((await stored(tag)).DspRtbEps, DspRtbEps);
  assert.deepEqual(complaints, []);
});

test('what is half filled in says what is missing, starts inactive, and leads to the field', async () => {
  const company = await room.add('advertiser', 'Advertiser', { ...publisher, Username: 'half' });
  const { page, complaints } = await room.visit(`/console/DspRtbEp/new?owner=${company.Id}`);
  await page.getByLabel('Name', { exact: true }).fill('Half filled');
  await page.getByText(/^Not ready to serve: .* missing$/).waitFor();
  const isActive = page.getByRole('switch', { name: 'Active at once' });
  await isActive.waitFor({ state: 'attached' });
  assert.equal(await isActive.isChecked(), false);
  await page.getByText('It starts inactive because it is not ready to serve').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Half filled' }).waitFor();
  const [added] = (await room.api<readonly Stored[]>('/api/ortb/dsprtbep/get')).filter(
    ({ Name }) => Name === 'Half filled',
  );
  assert.equal(added?.StatusString, 'Inactive');
  const note = page.getByRole('status').filter({ hasText: 'Not ready to serve' });
  await note.getByRole('link').first().click();
  await page.waitForURL(/field=|connections/);
  assert.deepEqual(complaints, []);
});

test('a time and its zone are chosen, and JSON says where it is wrong', async () => {
  const deal = await room.add('deal', 'Deal', { Name: 'Timed', Code: 'timed' });
  const { page, complaints } = await room.visit(`/console/Deal/${deal.Id}`);
  const [start, startTime] = [page.getByLabel('Start', { exact: true }), page.getByLabel('Start: time')];
  await start.fill('2027-01-31');
  await startTime.fill('18:30');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('york');
  await page.getByRole('option', { name: /America\/New York.*UTC-\d/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  const { StartTime, TimeZone } = await room.api<Stored>(`/api/deal/get?Id=${deal.Id}`);
  assert.deepEqual([StartTime, TimeZone], ['2027-01-31T18:30', 'America/New_York']);

  const company = await room.add('advertiser', 'Advertiser', { ...publisher, Username: 'json' });
  const bidder = await room.add('ortb/dsprtbep', 'DspRtbEp', { AdvertiserId: company.Id, Name: 'JSON' });
  await page.goto(`${room.url}/console/DspRtbEp/${bidder.Id}?field=CustomParams`);
  const json = page.locator('#field-CustomParams');
  await json.fill('{"imp.tagid": "home"\n "site.id": 1}');
  await page.getByText('Line 2, column 2: a comma or } is missing').waitFor();
  await json.fill('{"imp.tagid": "home", "site.id": 1}');
  await page.getByText(/Line 1, column 34 \(site\.id\): must be/).waitFor();
  await page.getByRole('button', { name: 'Format' }).click();
  assert.equal(await json.inputValue(), '{\n  "imp.tagid": "home",\n  "site.id": 1\n}');
  await page.getByText(/Line 3, column 14 \(site\.id\): must be/).waitFor();
  assert.deepEqual(complaints, []);
});
