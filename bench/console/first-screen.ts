import type { Measure } from '../measure.ts';
import { median } from '../speed.ts';
import type { ConsoleBench } from './console-bench.ts';
import { noted, notingFirst } from './noting.ts';

/** From the navigation, with an empty cache, to the overview with its figures and a menu that can be used. */
export const firstScreen: Measure<ConsoleBench> = {
  name: 'first-screen',
  async run(bench) {
    const console = await bench.filled();
    const usableMs: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      await using window = await console.open();
      const { page } = window;
      await page.addInitScript(notingFirst('usableMs', 'main dl dd'));
      await page.goto(console.server.url);
      usableMs.push(await page.evaluate<number>(noted('usableMs')));
    }
    // The first one warms the server up.
    const [, ...counted] = usableMs;
    return [
      {
        title: 'First screen, from the navigation',
        targets: [{ what: 'usable', value: median(counted), unit: 'milliseconds', atMost: 1000 }],
        details: [{ what: 'slowest', value: Math.max(...counted), unit: 'milliseconds' }],
      },
    ];
  },
};
