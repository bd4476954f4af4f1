import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';

let room: ConsoleRoom;
let owner: Stored;
before(async () => {
  room = await openConsoleRoom();
  owner = await room.add('publisher', 'Publisher', publisher);
});
after(() => room.close());

const guides: readonly (readonly [page: string, title: string])[] = [
  ['contents', 'Guides'],
  ['first-ad', 'The first ad in five minutes'],
  ['publishers', 'Publishers'],
  ['demand-partners', 'Demand partners'],
  ['why-no-ad', 'Why no ad?'],
  ['glossary', 'Glossary'],
];

test('every guide opens, and its links lead to other guides and to headings that are there', async () => {
  const { page, complaints } = await room.visit('/console/help/contents');
  const names = page.getByRole('navigation', { name: 'Guides' });
  assert.deepEqual(
    await names.getByRole('link').allTextContents(),
    guides.map(([, title]) => title),
  );
  for (const [name, title] of guides) {
    await names.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/help/${name}`);
    const links = page.getByRole('article').getByRole('link');
    for (let place = 0; place < (await links.count()); place += 1) {
      await links.nth(place).click();
      const { pathname, hash } = new URL(page.url());
      const [, shown] = guides.find(([to]) => pathname === `/console/help/${to}`) ?? assert.fail(pathname);
      await page.getByRole('heading', { level: 1, name: shown }).waitFor();
      if (hash !== '') await page.locator(`article ${hash}:focus`).waitFor();
      await page.goto(`${room.url}/console/help/${name}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
  }
  assert.deepEqual(complaints, []);
});

test('an address of no guide says so', async () => {
  const { page } = await room.visit('/console/help/no-such-guide');
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
});

describe('a way to the guides is', () => {
  test('in the menu of the user', async () => {
    const { page } = await room.visit('/');
    await page.getByRole('button', { name: 'Admin' }).click();
    await page.getByRole('menuitem', { name: 'Guides' }).click();
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
  });

  test('in what an empty team is shown', async () => {
    const { page } = await room.visit('/');
    await page.getByRole('link', { name: 'the guide to the first ad' }).click();
    await page.getByRole('heading', { level: 1, name: 'The first ad in five minutes' }).waitFor();
  });

  test('beside the figures of the overview', async () => {
    await room.add('ortb/vasttag', 'VastTag', { PublisherId: owner.Id, Name: 'Asking' });
    const { page } = await room.visit('/');
    await page.getByRole('link', { name: 'What the figures mean' }).click();
    await page.locator('#figures:focus').waitFor();
    await page.getByRole('cell', { name: 'Profit per 100 of revenue' }).waitFor();
  });

  test('at every reason of an explanation', async () => {
    const tag = await room.add('ortb/vasttag', 'VastTag', {
      PublisherId: owner.Id,
      Name: 'Silent',
      Status: 0,
    });
    await room.api('/api/ortb/vasttag/deactivate', { VastTag: { Id: tag.Id } });
    const { page, complaints } = await room.visit(`/console/VastTag/${tag.Id}/why`);
    await page.getByRole('link', { name: 'What the reasons mean' }).waitFor();
    await page.getByText('A request of mine').click();
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('link', { name: 'inactive', exact: true }).click();
    const row = page.locator('tr#inactive:focus');
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /503.*activate it/);
    assert.deepEqual(complaints, []);
  });
});

test('the first ad comes with the mouse, as its guide says', async () => {
  const { page, complaints } = await room.visit('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  const fill = (label: string, value: string) =>
    page.getByRole('textbox', { name: label, exact: true }).fill(value);
  const choose = async (label: string, option: RegExp) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const open = async (kind: string) => {
    await menu.getByRole('link', { name: kind, exact: true }).click();
    await page.getByRole('link', { name: /^New / }).click();
  };
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const account = async (kind: string, name: string) => {
    await open(kind);
    await fill('Mail', 'desk@first.example');
    await fill('Name', name);
    await choose('Country', /Germany/);
    await fill('Username', name.toLowerCase().replaceAll(' ', '-'));
    await add(name);
  };
  await account('Publishers', 'First Media');
  await open('VAST Tags');
  await choose('Publisher', /First Media/);
  await fill('Name', 'First player');
  await fill('Bidfloor', '1');
  await add('First player');
  const tag = page.url();
  await account('Advertisers', 'First Brand');
  await open('Campaigns');
  await choose('Advertiser', /First Brand/);
  await fill('Name', 'First film');
  await fill('Media Url', 'https://cdn.first.example/film.mp4');
  await fill('Click Url', 'https://first.example/');
  await fill('Cpm', '5');
  await add('First film');
  await page.getByRole('link', { name: 'Connections' }).click();
  const tags = page.locator('section', { has: page.getByRole('heading', { name: /^VAST Tags/ }) });
  await tags.getByRole('button', { name: 'Connect…' }).click();
  await page.getByRole('button', { name: 'Connect First player' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  await page.goto(tag);
  await page.getByRole('link', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: 'Run a test' }).click();
  await page.getByText(/An ad is shown/).waitFor();
  await page.getByRole('link', { name: 'First film' }).waitFor();
  // The film is on a host that is nowhere.
  const own = complaints.filter((text) => !text.includes('net::ERR_NAME_NOT_RESOLVED'));
  assert.deepEqual(own, []);
});
