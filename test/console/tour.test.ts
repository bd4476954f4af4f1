import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openConsole } from '../../src/console-pages/built-console.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { addUser } from '../management/users.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { startBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { logIn, watched } from './console-room.ts';
import { type Hand, keyboard, mouse } from './hands.ts';

const { serve, run, databasePath } = bourseProcess();
const who = { mail: 'ada@example.com', password: 'correct horse battery' };
const environment = {
  BOURSE_PORT: String(await freePort()),
  BOURSE_ADMIN_MAIL: who.mail,
  BOURSE_ADMIN_PASSWORD: who.password,
};
let server: SpawnedServer;
let browser: Browser;
before(async () => {
  await openConsole().prepare();
  server = await serve(environment);
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await stopped(server);
});

type Values = Readonly<Record<string, string>>;

/** Adds an object as the tour does: each field is found by its name, `choices` are made of lists. */
async function add(
  page: Page,
  hand: Hand,
  title: string,
  values: Values,
  choices: readonly [string, string][],
) {
  await hand.begin(title);
  await page.getByRole('heading', { level: 1, name: `New ${title}` }).waitFor();
  const find = (name: string) => hand.type(page.getByLabel('Find a field'), name);
  for (const [name, value] of Object.entries(values)) {
    await find(name);
    await hand.type(page.locator(`#field-${name}`), value);
  }
  for (const [name, value] of choices) {
    await find(name);
    await hand.choose(page.locator(`#field-${name}`), value);
  }
  await hand.press(page.getByRole('button', { name: 'Add', exact: true }));
  await page.getByRole('heading', { level: 1, name: values.Name ?? '' }).waitFor();
}

const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the object' }).getByRole('link', { name, exact: true });

/** Connects the object that is shown with a VAST tag. */
async function connect(page: Page, hand: Hand, tag: string): Promise<void> {
  await hand.press(part(page, 'Connections'));
  const tags = page.locator('section', { has: page.getByRole('heading', { name: /^VAST Tags/ }) });
  await hand.press(tags.getByRole('button', { name: 'Connect…' }));
  await hand.press(page.getByRole('button', { name: `Connect ${tag}` }));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await hand.save();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
}

/** Makes an API key for the players, and answers it. */
async function makeKey(page: Page, hand: Hand): Promise<string> {
  await hand.press(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }),
  );
  await hand.press(page.getByRole('link', { name: 'API keys', exact: true }));
  await hand.press(page.getByRole('button', { name: 'New key' }));
  await hand.type(page.getByLabel('What it is for'), 'players');
  await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }));
  const key = await page.getByRole('dialog').locator('code').first().textContent();
  await hand.press(page.getByRole('button', { name: 'I have kept it' }));
  return key ?? '';
}

/** The tour (docs/guide/tour.md), from its publisher to its report, in its order. `team`: part of names that no other team has. */
async function tour(page: Page, hand: Hand, team: string): Promise<void> {
  const account = { Mail: `desk@${team}.example`, Name: 'Example Media' };
  await add(page, hand, 'Publisher', { ...account, Username: `${team}-media` }, [['Country', 'Germany']]);
  const size = { SiteDomain: 'media.example', Width: '640', Height: '360' };
  await add(page, hand, 'VAST Tag', { Name: 'Homepage pre-roll', ...size, Bidfloor: '1.5' }, [
    ['PublisherId', 'Example Media'],
    ...(['Germany', 'Austria'] as const).map((name): [string, string] => ['Countries', name]),
  ]);
  const brand = { Mail: `ads@${team}.example`, Name: 'Brand', Username: `${team}-brand` };
  await add(page, hand, 'Advertiser', brand, [['Country', 'France (FR)']]);
  const ZoneUrlUsEast = 'https://ads.brand.example/vast?w={width}&h={height}&cb={cb}';
  await add(page, hand, 'DSP VAST Tag', { Name: 'Spring', FixedCpm: '4.2', ZoneUrlUsEast }, [
    ['AdvertiserId', 'Brand'],
  ]);
  await connect(page, hand, 'Homepage pre-roll');
  await hand.press(page.getByRole('link', { name: 'Homepage pre-roll', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Homepage pre-roll' }).waitFor();
  await hand.press(part(page, 'Connections'));
  await hand.press(page.getByRole('link', { name: 'Spring', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
  await hand.turn(page.getByRole('switch', { name: 'On', exact: true }));
  await page.getByText('inactive', { exact: true }).waitFor();

  await add(page, hand, 'VAST Tag', { Name: 'Player', Bidfloor: '1' }, [['PublisherId', 'Example Media']]);
  const film = { MediaUrl: 'https://cdn.brand.example/film.mp4', ClickUrl: 'https://brand.example/' };
  await add(page, hand, 'Campaign', { Name: 'Film', Cpm: '5', ...film, Duration: '15' }, [
    ['AdvertiserId', 'Brand'],
  ]);
  await connect(page, hand, 'Player');
  await hand.press(page.getByRole('link', { name: 'Player', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Player' }).waitFor();
  await hand.press(part(page, 'Test'));
  await hand.press(page.getByRole('button', { name: 'Run a test' }));
  await page.getByText('An ad is shown').waitFor();
  await hand.press(part(page, 'Why no ad?'));
  await hand.take('A request of mine');
  await hand.press(page.getByRole('button', { name: 'Explain', exact: true }));
  await page.getByRole('listitem').filter({ hasText: 'Film' }).getByText('won').waitFor();

  await hand.press(part(page, 'Settings'));
  const player = page.url();
  const players = await run([
    'simulate',
    '--server',
    server.url,
    '--token',
    await makeKey(page, hand),
    '--duration',
    '1',
    '--rate',
    '20',
    '--json',
  ]);
  assert.equal(players.code, 0, players.stderr);
  await page.goto(player);
  await hand.press(part(page, 'Statistics'));
  const total = page.getByRole('row', { name: /^All / });
  assert.match(await total.innerText(), /^All\s+[1-9]/);

  await hand.press(part(page, 'Settings'));
  await hand.type(page.getByLabel('Find a field'), 'Bidfloor');
  await hand.type(page.locator('#field-Bidfloor'), '2000000');
  await page.getByText('1 unsaved change, one is not accepted').waitFor();
  await hand.press(page.getByRole('button', { name: 'Discard' }));
}

const isOfFilm = (text: string) => text.includes('net::ERR_NAME_NOT_RESOLVED');

test('the tour with the mouse, from the link of the first start to the report', async () => {
  const { page, complaints } = await watched(browser, {});
  const link = /http\S+#link=\S+/.exec(server.output())?.[0] ?? assert.fail(server.output());
  await page.goto(link);
  await page.getByRole('heading', { name: 'Your exchange is ready' }).waitFor();
  await tour(page, mouse(page), 'mouse');
  // The film is on a host that is nowhere.
  assert.deepEqual(
    complaints.filter((text) => !isOfFilm(text)),
    [],
  );
});

test('the same by keyboard alone, from the login', async () => {
  const { mail } = await addUser({ databaseUrl: `sqlite:${databasePath}` }, { role: 0 });
  const { page, complaints } = await watched(browser, {});
  const hand = keyboard(page);
  await page.goto(server.url);
  await hand.type(page.getByLabel('Mail address'), mail);
  await hand.type(page.locator('input[type=password]'), 'long enough');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your exchange is ready' }).waitFor();
  await hand.press(page.getByRole('button', { name: 'Skip to the content' }));
  await page.keyboard.press('Tab');
  await page.locator('main a:focus').waitFor();
  await tour(page, hand, 'keyboard');
  assert.deepEqual(
    complaints.filter((text) => !isOfFilm(text)),
    [],
  );
});

test('what is typed outlives a restart of the server, which the session does too', async () => {
  const { page } = await watched(browser, {});
  await page.goto(`${server.url}/console/VastTag/1`);
  await logIn(page, who);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await page.getByLabel('Name', { exact: true }).fill('Typed before');
  await bar.getByText('1 unsaved change').waitFor();
  await stopped(server);
  await page.getByLabel('Bid floor', { exact: true }).fill('4');
  await bar.getByText('2 unsaved changes').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('The server does not answer').waitFor();
  // Who comes now is not left alone with it either.
  const { page: late } = await watched(browser, {});
  await late.route('**/api/**', (route) => route.abort());
  server = await serve(environment);
  await late.goto(server.url);
  await late.getByText('The server does not answer').waitFor();
  await late.unroute('**/api/**');
  await late.getByRole('button', { name: 'Try again' }).click();
  await late.getByRole('button', { name: 'Log in' }).waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { name: 'Typed before' }).waitFor();
  assert.match(await page.getByLabel('Bid floor', { exact: true }).inputValue(), /^4\b/);
});
