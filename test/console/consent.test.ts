import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { consentString } from '../exchange/consent-string.ts';
import { type ExchangeRoom, furnish, type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { type ConsoleRoom, openConsoleRoom } from './console-room.ts';
import { keyboard } from './hands.ts';
import { windowSizes } from './screens.ts';
import { still, violations } from './violations.ts';

const vendor = 755;
const consent = consentString({
  ...{ purposes: [2, 7], vendors: [vendor], disclosed: [vendor] },
  restrictions: [[3, 0, vendor]],
});
let room: ConsoleRoom;
let exchange: ExchangeRoom;
let tag: Stored;
before(async () => {
  room = await openConsoleRoom({ allowPrivateDemand: true });
  exchange = await furnish(room);
  const add = (Name: string, GvlId: number) =>
    exchange.add('ortb/dspvasttag', { Name, GvlId, ZoneUrlUsEast: 'https://dsp.example/vast' });
  const partners = [await add('Listed', vendor), await add('Elsewhere', 32), await add('Without ID', 0)];
  tag = await exchange.add('ortb/vasttag', { Name: 'Asking', DspVastTags: partners.map(({ Id }) => Id) });
  await exchange.served();
});
after(() => room?.close());

test('a string says what it says, and who may do what with it, by keyboard alone', async () => {
  const { page, complaints } = await room.visit('/');
  const hand = keyboard(page);
  await hand.press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Consent' }));
  await page.getByRole('heading', { level: 1, name: 'Consent' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Read' }).isDisabled());
  await hand.type(page.getByLabel('TCF string'), consent);
  await hand.type(page.getByLabel('US privacy string'), 'yes');
  await hand.press(page.getByRole('button', { name: 'Read' }));
  const said = page.getByRole('region', { name: 'What it says' });
  await said.waitFor();
  const text = await said.innerText();
  for (const part of [
    /Unreadable: A string that counts cannot be read/,
    /TCF EU\s+Made for\s+policy version 5, vendor list version 100\s+This list is not known here/,
    /Made by\s+CMP 75, version 1\s+Created\s+\d+ \w+ \d+, updated \d+ \w+ \d+/,
    /Publisher\s+DE, 1 restriction\s+Special features\s+none\s+Disclosed vendors\s+named/,
    /US Privacy\s+Cannot be read: It is cut off, or no such string/,
  ])
    assert.match(text, part);
  const purposes = said.getByRole('table', { name: 'Purposes' }).getByRole('row');
  assert.match(await purposes.filter({ hasText: '2 Use limited data' }).innerText(), /yes\s+–/);
  assert.match(await purposes.filter({ hasText: '1 Store and/or' }).innerText(), /–\s+–/);
  assert.ok(!page.url().includes(consent));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test('the table of partners names what each may not, and why', async () => {
  const { page, complaints } = await room.visit('/console/consent');
  await page.getByLabel('TCF string').fill(consent);
  await page.getByRole('button', { name: 'Read' }).click();
  const rows = page.getByRole('table', { name: 'Partners' }).getByRole('row');
  const listed = rows.filter({ hasText: 'Vendor 755' });
  await listed.waitFor();
  const marks = (await listed.getByRole('img').all()).map((mark) => mark.getAttribute('aria-label'));
  assert.deepEqual(await Promise.all(marks), [
    ...['permitted', 'permitted', 'permitted'],
    ...['withheld', 'withheld', 'withheld'],
  ]);
  const listedText = await listed.innerText();
  assert.match(
    listedText,
    /IP address, Exact place\s+wants special feature 1 .*, vendor 755\s+met no opt-in/,
  );
  assert.match(listedText, /Sync and frequency\s+wants purpose 1 .*\s+met purpose not permitted/);
  await page.getByLabel('US privacy string').fill('1YYN');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByText('Withheld from all of them').waitFor();
  assert.equal(await page.getByText('us_privacy', { exact: true }).count(), 1);
  const unlisted = await rows.filter({ hasText: 'Without ID' }).innerText();
  assert.match(unlisted, /no GvlId[\s\S]*Bid, User IDs, User data\s+wants purpose 2 .*\s+met no GvlId/);
  await page.setViewportSize(windowSizes.phone);
  await still(page);
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0);
  assert.match(await listed.innerText(), /IP address, Exact place/);
  await rows.getByRole('link', { name: 'Elsewhere' }).click();
  await page.waitForURL(/DspVastTag\/\d+$/);
  assert.deepEqual(complaints, []);
});

test('what the server refuses stands at its field, and unreadable sections are named', async () => {
  const { page } = await room.visit('/console/consent');
  await page.getByLabel('GPP string').fill('DBABLA~CAARAAAAAABA.YA');
  await page.getByLabel('Sections that apply').fill('7, x');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('alert').getByText('GppSid').waitFor();
  await page.getByLabel('Sections that apply').fill('7 8');
  await page.getByRole('button', { name: 'Read' }).click();
  const said = page.getByRole('region', { name: 'What it says' });
  await said.waitFor();
  assert.match(await said.innerText(), /US National, section 7\s+Opted out of\s+sale, targeted advertising/);
  assert.match(await said.innerText(), /California, section 8\s+Cannot be read: GppSid names the section/);
  await page.getByLabel('TCF string').fill('C'.repeat(20_000));
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByText(/16384/).waitFor();
});

test('an explanation shows what is withheld from a partner, or why it may not be asked', async () => {
  await (await fetch(`${zoneUrl(tag)}&gdpr=1&gdpr_consent=${consent}`)).text();
  const { page, complaints } = await room.visit(`/console/VastTag/${tag.Id}/why`);
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  const candidates = page.getByRole('listitem');
  const listed = await candidates.filter({ hasText: 'Listed' }).innerText();
  assert.match(listed, /withheld\s+IP address, Exact place\s+wants special feature 1 .*\s+met no opt-in/);
  const refused = await candidates.filter({ hasText: 'Elsewhere' }).innerText();
  assert.match(
    refused,
    /consent missing\s+wants purpose 2 .*, vendor 32\s+met not among the disclosed vendors/,
  );
  assert.doesNotMatch(refused, /withheld/);
  await candidates.filter({ hasText: 'Listed' }).getByRole('link', { name: 'withheld' }).first().click();
  await page.getByRole('heading', { name: 'What is enforced' }).waitFor();
  assert.deepEqual(complaints, []);
});
