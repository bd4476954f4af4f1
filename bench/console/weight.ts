import { shownObjects } from '../../test/console/filled-room.ts';
import { screensOf, show } from '../../test/console/screens.ts';
import type { Measure } from '../measure.ts';
import type { Figure } from '../row.ts';
import { mail, password } from '../servers/bourse.ts';
import type { ConsoleBench, OpenWindow } from './console-bench.ts';

const bytesPerKilobyte = 1000;
/** Charts come when the first one is shown, and are measured apart. */
const isChart = (url: string) => /\/line-chart-/.test(url);

/** Bytes of scripts and styles, by URL, as they come over the wire from now on. */
async function weighed({ page, context }: OpenWindow): Promise<ReadonlyMap<string, number>> {
  const session = await context.newCDPSession(page);
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response: { url } }) => {
    if (/\.(js|css)$/.test(new URL(url).pathname)) urls.set(requestId, url);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    // What comes out of the browser's cache later weighs nothing.
    if (url !== undefined && !bytes.has(url)) bytes.set(url, encodedDataLength);
  });
  await session.send('Network.enable');
  return bytes;
}

const kilobytes = (bytes: ReadonlyMap<string, number>, isCounted: (url: string) => boolean) =>
  [...bytes].reduce((sum, [url, size]) => sum + (isCounted(url) ? size : 0), 0) / bytesPerKilobyte;

/** What a browser loads for the login and the overview, and what each other screen adds; compressed. */
export const weight: Measure<ConsoleBench> = {
  name: 'weight',
  async run(bench) {
    const console = await bench.filled();
    const { url } = console.server;
    await using first = await console.open({ isStranger: true });
    const loaded = await weighed(first);
    await first.page.goto(url);
    // By the keyboard: a link beneath the mouse would load its screen, too.
    await first.page.getByLabel('Mail address').fill(mail);
    await first.page.locator('input[type=password]').fill(password);
    await first.page.keyboard.press('Enter');
    await show(first.page, { name: '', address: '/', route: '/' }, url);
    const here = new Map(loaded);
    const screens = await screensOf(first.page, url, await shownObjects({ api: console.call }));
    const more: Figure[] = [];
    for (const screen of screens.filter(({ address }) => address !== '/')) {
      await using own = await console.open();
      const bytes = await weighed(own);
      await show(own.page, screen, url);
      const value = kilobytes(bytes, (one) => !here.has(one) && !isChart(one));
      more.push({ what: screen.name, value, unit: 'kilobytes' });
    }
    const most = more.toSorted((one, other) => other.value - one.value);
    const [heaviest] = most;
    if (!heaviest) throw new Error('there is no other screen');
    const firstLoad = kilobytes(here, (one) => !isChart(one));
    return [
      {
        title: 'Scripts and styles of login and overview',
        targets: [
          { what: 'without charts', value: firstLoad, unit: 'kilobytes', atMost: 200 },
          { what: 'with charts', value: kilobytes(here, () => true), unit: 'kilobytes', atMost: 300 },
        ],
        details: [],
      },
      {
        title: 'What another screen adds',
        targets: [{ ...heaviest, atMost: 100 }],
        details: most.slice(1, 5),
      },
    ];
  },
};
