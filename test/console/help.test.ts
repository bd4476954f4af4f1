import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type ConsoleRoom, openConsoleRoom, publisher, type Stored } from './console-room.ts';

let room: ConsoleRoom;
let owner: Stored;
before(async () => {
  room = await openConsoleRoom();
  owner = await room.add('publisher', 'Publisher', publisher);
});
after(() => room.close());

const contents = readFileSync(new URL('../../docs/guide/README.md', import.meta.url), 'utf8');
/** Page and title of each, in the order of the contents. */
const guides: readonly (readonly [page: string, title: string])[] = [
  ['contents', 'Guides'],
  ...[...contents.matchAll(/^- \[(.+?)\]\(([\w-]+)\.md\)/gm)].map(
    ([, title = '', page = '']) => [page, title] as const,
  ),
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
      const before = page.url();
      await links.nth(place).click();
      if (page.url() === before) continue;
      const { pathname, hash } = new URL(page.url());
      const [, shown] = guides.find(([to]) => pathname === `/console/help/${to}`) ?? assert.fail(pathname);
      await page.getByRole('heading', { level: 1, name: shown }).waitFor();
      if (hash !== '') await page.locator(`article ${hash}:focus`).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
  }
  assert.deepEqual(complaints, []);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pictures are loaded from here when they come into sight, those of ${colorScheme} mode alone`, async () => {
    const { page, context, complaints } = await room.visit('/console/help/contents', { colorScheme });
    const asked: string[] = [];
    context.on('request', (request) => {
      if (request.resourceType() === 'image') asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`${room.url}/console/help/first-ad`);
    const picture = page.getByRole('img', { name: 'The tab Test' });
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    const pictures = asked.filter((path) => path.endsWith('.png'));
    const ofDark = pictures.filter((path) => /-dark-[\w-]+\.png$/.test(path));
    assert.ok(
      pictures.every((path) => path.startsWith('/console/assets/')),
      pictures.join(),
    );
    assert.equal(ofDark.length, colorScheme === 'dark' ? pictures.length : 0, pictures.join());
    assert.ok(pictures.length > 0);
    assert.deepEqual(complaints, []);
  });
}

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
    await page.getByRole('cell', { name: 'Profit per 100 of revenue', exact: true }).waitFor();
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
