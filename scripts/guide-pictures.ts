import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { settled, tryOut } from '../test/console/screens.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'guide', 'pictures');

/** A picture of a guide, by the name of its file. */
interface GuidePicture {
  readonly name: string;
  readonly address: string;
  /** What is done before; answers what is to be seen, where that is not the whole window. */
  readonly act?: (page: Page) => Promise<Locator | undefined>;
}

const size = { width: 1280, height: 780 };
const marginPx = 16;
const modes = { light: '', dark: '-dark' } as const;
const playingMs = 3000;

/** Those of a team with demand and traffic. */
export const guidePictures: readonly GuidePicture[] = [
  {
    name: 'overview',
    address: '/',
    // A whole day, whenever it is taken.
    async act(page) {
      await page.getByRole('radiogroup', { name: 'Day' }).getByText('Yesterday').click();
      await settled(page);
      return undefined;
    },
  },
  {
    name: 'why-no-ad',
    address: '/console/VastTag/1/why',
    async act(page) {
      await tryOut(page, '/console/$entity/$id/why');
      return undefined;
    },
  },
  {
    name: 'test',
    address: '/console/VastTag/1/test',
    async act(page) {
      await tryOut(page, '/console/$entity/$id/test');
      // The ad plays, and its trackers are called.
      await page.waitForTimeout(playingMs);
      return undefined;
    },
  },
  {
    name: 'calls',
    address: '/console/VastTag/1/test',
    async act(page) {
      await tryOut(page, '/console/$entity/$id/test');
      const calls = page.locator('section', { has: page.getByRole('heading', { name: 'Calls to demand' }) });
      await calls.locator('summary').filter({ hasText: 'DSP RTB EP' }).first().click();
      return calls;
    },
  },
  {
    name: 'access',
    address: '/console/VastTag/1',
    act: async (page) => page.locator('#section-Access'),
  },
  { name: 'get-the-tag', address: '/console/VastTag/1/tag' },
  { name: 'account', address: '/console/Publisher/1/account' },
  {
    name: 'what-moved',
    address: '/',
    act: async (page) => page.getByRole('region', { name: 'What moved' }),
  },
  { name: 'connections', address: '/console/VastTag/1/connections' },
  { name: 'funnel', address: '/console/funnel?supply=VastTag:2&period=Yesterday&zone=UTC' },
  { name: 'health', address: '/console/health?open=DspRtbEp:2' },
  { name: 'reports', address: '/console/reports?period=Yesterday&zone=UTC&by=Hour,Supply&compare=Period' },
];

/** Those of a team that has just begun. */
export const emptyPictures: readonly GuidePicture[] = [{ name: 'first-steps', address: '/' }];

/** A part of a page with a little of what is around it. */
async function around(place: Locator) {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, ...size };
  // A place is told as the window shows it, and cut out of the whole page.
  const scrolled = await place.page().evaluate<number>('scrollY');
  return {
    x: x - marginPx,
    y: y + scrolled - marginPx,
    width: width + 2 * marginPx,
    height: height + 2 * marginPx,
  };
}

/** Takes pictures for the guides, light and dark, in a window that is logged in. */
export async function takeGuide(page: Page, url: string, wanted: readonly GuidePicture[]): Promise<void> {
  await page.setViewportSize(size);
  for (const { name, address, act } of wanted) {
    for (const [colorScheme, ending] of Object.entries(modes)) {
      await page.emulateMedia({ colorScheme: colorScheme as keyof typeof modes });
      await page.goto(url + address);
      await settled(page);
      const place = await act?.(page);
      const clip = place && (await around(place));
      await page.screenshot({
        path: join(folder, `${name}${ending}.png`),
        fullPage: clip !== undefined,
        ...(clip && { clip }),
      });
    }
    console.log(name);
  }
}
