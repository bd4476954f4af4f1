import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import type { Stored } from './console-room.ts';

/** A screen of the console. */
export interface Screen {
  /** Of its picture's file. */
  readonly name: string;
  readonly address: string;
  /** The route that shows it. */
  readonly route: string;
}

/** The sizes of windows that the console is made for. */
export const windowSizes = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/** The objects that stand for all others, by entity: one of each kind of screen that an object can have. */
export const shownEntities = [
  'VastTag',
  'DspRtbEp',
  'Deal',
  'FloorRule',
  'Publisher',
  'DomainList',
  'Report',
  'Alert',
] as const;
export type ShownObjects = Readonly<Record<(typeof shownEntities)[number], Stored>>;

/** What is done on a screen before it is looked at, by route. */
const acts: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async '/console/reports'(page) {
    const search = 'period=Today&zone=UTC&by=Day,Supply&figures=Requests,Wins,FillRate&compare=Period';
    await page.goto(new URL(`?${search}`, page.url()).href);
    await page.getByRole('table', { name: 'Report' }).waitFor();
  },
  async '/console/funnel'(page) {
    await page.goto(new URL('?supply=VastTag:1&period=Today&zone=UTC', page.url()).href);
    await page.getByRole('list', { name: 'From request to ad' }).waitFor();
  },
  async '/console/health'(page) {
    const row = page.getByRole('table', { name: 'Health' }).getByRole('button').first();
    await row.click();
    await page.getByRole('link', { name: 'Sampled auctions' }).first().waitFor();
  },
  async '/console/consent'(page) {
    await page.getByLabel('TCF string').fill('CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA.YAAAAAAAAAAA');
    await page.getByLabel('US privacy string').fill('1YYN');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByRole('table', { name: 'Partners' }).waitFor();
  },
  async '/console/$entity/$id/why'(page) {
    await page.getByText('A request of mine').click();
    await page.getByLabel('ip', { exact: true }).fill('93.184.216.34');
    await page.getByLabel('lang', { exact: true }).fill('pt');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('heading', { name: 'The outcome' }).waitFor();
  },
  async '/console/$entity/$id/test'(page) {
    await page.getByRole('button', { name: 'Run a test' }).click();
    await page.getByRole('heading', { name: 'Calls to demand' }).waitFor();
  },
};

/** What stands for the variable parts of addresses that are about no object. */
const examples = { $id: '1', $page: 'glossary' } as const;

const isOfObject = (route: string) => route.startsWith('/console/$entity/$id');

/** The parts that an object's screen has, by their last words; '' is the first one. */
async function partsOf(page: Page, url: string, entity: string, id: number): Promise<readonly string[]> {
  const base = `/console/${entity}/${id}`;
  await page.goto(url + base);
  const links = page.getByRole('navigation', { name: 'Parts of the object' }).getByRole('link');
  await links.first().waitFor();
  const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  return addresses.map((address) => new URL(address ?? '', url).pathname.slice(base.length));
}

const nameOf = (address: string) =>
  address.slice(1).replace('console/', '').replaceAll('/', '-') || 'overview';

/**
 * Every screen, as the console's own router knows them: a route that is added is looked at without another word. Where
 * it is about an object, one of each kind that has such a screen.
 */
export async function screensOf(page: Page, url: string, objects: ShownObjects): Promise<readonly Screen[]> {
  const found = await page.evaluate<readonly string[]>('Object.keys(self.__TSR_ROUTER__.routesByPath)');
  const routes = [...new Set(found.map((route) => route.replace(/(?<=.)\/$/, '')))];
  assert.ok(routes.includes('/console/$entity'), routes.join());
  const screens: Screen[] = [];
  const add = (route: string, address: string) => screens.push({ name: nameOf(address), address, route });
  for (const route of routes.filter((one) => !one.includes('$entity'))) {
    const address = Object.entries(examples).reduce(
      (path, [name, value]) => path.replace(name, value),
      route,
    );
    assert.doesNotMatch(address, /\$/, `nothing stands for a part of ${route}`);
    add(route, address);
  }
  for (const entity of shownEntities) {
    const { Id } = objects[entity];
    const parts = await partsOf(page, url, entity, Id);
    for (const route of routes.filter((one) => one.includes('$entity'))) {
      if (isOfObject(route) && !parts.includes(route.slice('/console/$entity/$id'.length))) continue;
      add(route, route.replace('$entity', entity).replace('$id', String(Id)));
    }
  }
  const unseen = routes.filter((route) => !screens.some((screen) => screen.route === route));
  assert.deepEqual(unseen, [], 'no object stands for these routes');
  return screens;
}

/** One screen of each route, but the forms of all objects: those differ from entity to entity. */
export function unlike(screens: readonly Screen[]): readonly Screen[] {
  const isFirst = ({ route }: Screen, index: number) =>
    screens.findIndex((one) => one.route === route) === index;
  return screens.filter((screen, index) => screen.route === '/console/$entity/$id' || isFirst(screen, index));
}

const ways = new WeakMap<Page, Set<Request>>();

/** The requests of a page that are under way, from the first time that it is asked for. */
function underWay(page: Page): Set<Request> {
  const known = ways.get(page);
  if (known) return known;
  const requests = new Set<Request>();
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  ways.set(page, requests);
  return requests;
}

const waiting = '.mantine-Skeleton-root, [aria-label=Loading]';
const framesMs = 20_000;
const twoFrames = 'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))';

/** Waits until a screen has what it asked for: nothing is under way, and nothing more is asked for by what has come. */
export async function settled(page: Page): Promise<void> {
  const requests = underWay(page);
  await page.locator('main').first().waitFor();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const lateMs = performance.now() + framesMs;
  for (let quiet = 0; quiet < 3; ) {
    await page.evaluate(twoFrames);
    const isQuiet = requests.size === 0 && (await page.locator(waiting).count()) === 0;
    quiet = isQuiet ? quiet + 1 : 0;
    assert.ok(performance.now() < lateMs, `${page.url()} never has all that it asks for`);
  }
}

/** Does what is done on a screen before it is looked at, where there is something. */
export const tryOut = async (page: Page, route: string): Promise<void> => await acts[route]?.(page);

/** Ends once the router shows an address; waiting for a function would need what the page's policy forbids. */
const arrived = (path: string) => `new Promise((end) => {
  const look = () => {
    const { status, resolvedLocation } = __TSR_ROUTER__.state;
    if (status === 'idle' && resolvedLocation?.pathname === ${JSON.stringify(path)}) end();
    else requestAnimationFrame(look);
  };
  look();
})`;

/**
 * Opens a screen in a window that is logged in, and does what is done there. Where the console is there, it goes on by
 * itself, without beginning anew.
 */
export async function show(page: Page, { address, route }: Screen, url: string): Promise<void> {
  underWay(page);
  const isThere = page.url().startsWith(url) && (await page.evaluate('"__TSR_ROUTER__" in self'));
  if (isThere) {
    await page.evaluate(`__TSR_ROUTER__.history.push(${JSON.stringify(address)})`);
    await page.evaluate(arrived(new URL(address, url).pathname));
  } else await page.goto(url + address);
  await settled(page);
  await tryOut(page, route);
  // What is under the pointer by chance is no part of the screen.
  await page.mouse.move(0, 0);
}
