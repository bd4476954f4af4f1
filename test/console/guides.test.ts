import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { readGuide } from '../../console/build/read-guide.ts';
import type { Block, Inline } from '../../console/help/guide.ts';
import { integrationRows } from '../../src/reference/integrations.ts';
import { eventually } from '../support/eventually.ts';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';
import { billYesterday } from './filled-room.ts';
import { mouse } from './hands.ts';
import { settled } from './screens.ts';

/** What a guide emphasises in its first numbered list, in order: names of what is pressed or looked at. */
function namesInSteps(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../docs/guide/${file}`, import.meta.url), 'utf8');
  const list = readGuide(file, text).blocks.find((block) => block.kind === 'list' && block.isOrdered);
  const inParts = (parts: readonly Inline[]): readonly string[] =>
    parts.flatMap((part) => {
      if (typeof part === 'string' || part.kind === 'code' || part.kind === 'guide') return [];
      return part.kind === 'url' ? [] : [part.parts.join('')];
    });
  const inBlocks = (blocks: readonly Block[]): readonly string[] =>
    blocks.flatMap((block) => ('line' in block ? inParts(block.line) : []));
  return list?.kind === 'list' ? list.items.flatMap(inBlocks) : assert.fail(`${file} has no steps`);
}

/** Follows a guide: each name that is used is the guide's next one. */
function follow(file: string, page: Page) {
  const left = [...namesInSteps(file)];
  const next = (name: string) => assert.equal(left.shift(), name);
  const main = page.getByRole('main');
  return {
    async press(name: string, place: Locator = main) {
      next(name);
      const found = place
        .getByRole('link', { name, exact: true })
        .or(place.getByRole('button', { name, exact: true }));
      await found.first().click();
      await settled(page);
    },
    /** Uses a name that the test finds by itself. */
    use: next,
    atEnd: () => assert.deepEqual(left, []),
  };
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });

let room: ConsoleRoom;
let campaign: Stored;
before(async () => {
  room = await openConsoleRoom();
  const account = { ...publisher, Name: 'Brand', Username: 'brand' };
  const { Id: AdvertiserId } = await room.add('advertiser', 'Advertiser', account);
  const film = { MediaUrl: 'https://cdn.brand.example/film.mp4', ClickUrl: 'https://brand.example/' };
  campaign = await room.add('campaign', 'Campaign', { AdvertiserId, Name: 'Film', Cpm: 5, ...film });
});
after(() => room?.close());

test('a publisher is onboarded by its guide, on a fresh database', async () => {
  const { page } = await room.visit('/');
  const { press, use, atEnd } = follow('onboard-publisher.md', page);
  await press('Publishers', menuOf(page));
  await press('New Publisher');
  for (const [name, value] of Object.entries({
    Mail: 'desk@media.example',
    Name: 'Media',
    Username: 'media',
  }))
    await page.locator(`#field-${name}`).fill(value);
  await page.locator('#field-Country').click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await press('Add');
  await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
  const publisherUrl = page.url();

  await press('Overview');
  await press('New VAST Tag');
  await page.locator('#field-Name').fill('Pre-roll');
  use('Bid floor');
  await page.getByLabel('Bid floor', { exact: true }).fill('1');
  await press('Add');
  await page.getByRole('heading', { level: 1, name: 'Pre-roll' }).waitFor();

  await press('Connections');
  const campaigns = page.locator('section', { has: page.getByRole('heading', { name: /^Campaigns/ }) });
  await press('Connect…', campaigns);
  use('Connect');
  await page.getByRole('button', { name: 'Connect Film' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await press('Save', page.locator('body'));
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });

  await press('Test');
  await press('Run a test');
  await page.getByText('An ad is shown').waitFor();
  use('Why no ad?');

  await press('Integration');
  use('Copy');
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  use('Mail to the publisher');
  const mail = page.getByRole('link', { name: 'Mail to the publisher' });
  assert.equal(await mail.getAttribute('title'), 'desk@media.example');

  await page.goto(publisherUrl);
  await press('Overview');
  await page
    .getByRole('region', { name: 'ads.txt and sellers.json' })
    .getByText(/DIRECT|RESELLER/)
    .first()
    .waitFor();
  await press('Invite');
  await page.getByRole('dialog').getByText('Media').first().waitFor();
  atEnd();
  const [tag] = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
  assert.partialDeepStrictEqual(tag, { Name: 'Pre-roll', Bidfloor: 1, Campaigns: [campaign.Id] });
});

test('the cause of a fall is found, and undone, by the guide', async () => {
  const [tag] = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
  await billYesterday(room, {
    supply: { kind: 'VastTag', id: tag?.Id ?? 0 },
    demand: { kind: 'Campaign', id: campaign.Id },
  });
  await room.api('/api/campaign/deactivate', { Campaign: { Id: campaign.Id } });

  const { page } = await room.visit('/console/help/revenue-fell');
  const { press, use, atEnd } = follow('revenue-fell.md', page);
  await press('Overview', menuOf(page));
  use('What moved');
  const row = page
    .getByRole('region', { name: 'What moved' })
    .getByRole('listitem')
    .filter({ hasText: 'Film' })
    .first();
  await press('deactivated', row);
  await page.waitForURL(/\/console\/Campaign\/\d+\/history\?revision=\d+/);
  use('Off');
  await mouse(page).turn(page.getByRole('switch', { name: 'Off', exact: true }));
  await page.getByRole('switch', { name: 'On', exact: true }).waitFor({ state: 'attached' });
  use('Revert');
  atEnd();
  const { Status } = await room.api(`/api/campaign/get?Id=${campaign.Id}`);
  assert.equal(Status, 0);
});

test('the code of each platform of the guide asks a fresh tag, which gets what the platform fills in', async () => {
  const [tag] = await room.api<readonly Stored[]>('/api/ortb/vasttag/get');
  assert.ok(tag);
  const { page } = await room.visit(`/console/VastTag/${tag.Id}/tag`);
  for (const [, { title, calls, macros }] of integrationRows) {
    const { site_url: siteMacro = '' } = macros;
    if (calls !== 'vast' || siteMacro === '') continue;
    await page
      .getByRole('group', { name: 'Platform' })
      .getByRole('button', { name: title, exact: true })
      .click();
    const code = await page.getByRole('region', { name: 'The code' }).innerText();
    const url = /https?:\/\/[^\s"'<]+\/vast\?[^\s"'<]+/.exec(code)?.[0] ?? assert.fail(code);
    const site = `https://${encodeURIComponent(title.replaceAll(' ', '-').toLowerCase())}.example/`;
    const filled = url.replaceAll('&amp;', '&').replace(siteMacro, encodeURIComponent(site));
    // Of auctions in quick succession a sample is kept.
    await eventually(async () => {
      assert.match(await (await fetch(filled)).text(), /film\.mp4/);
      const sampled = await room.api<readonly { readonly Domain: string }[]>('/api/exchange/auctions');
      assert.ok(sampled.some(({ Domain }) => `https://${Domain}/` === site));
    }, filled);
  }
});
