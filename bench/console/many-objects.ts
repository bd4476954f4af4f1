import type { Page } from 'playwright-core';
import type { Measure } from '../measure.ts';
import type { Row } from '../row.ts';
import { median } from '../speed.ts';
import { type ConsoleBench, tags } from './console-bench.ts';
import { noted, notingFirst } from './noting.ts';

const path = '/api/ortb/vasttag/get';
/** Notes every long task, and the moment of the first row. */
const watching = `
  self.longTasks = [];
  new PerformanceObserver((list) => self.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  ${notingFirst('firstRowMs', '[role=row][aria-rowindex="2"]')}
`;

/** Milliseconds from the end of the list's answer to its first rows on the screen. */
const rowsMs = `(() => {
  const answer = performance.getEntriesByType('resource').find(({ name }) => name.includes('${path}'));
  return self.firstRowMs - answer.responseEnd;
})()`;

const wheels = 60;
const wheelPixels = 1200;

/** Scrolls as with a wheel, frame by frame; the durations of tasks above 50 ms. */
async function scrolled(page: Page): Promise<readonly number[]> {
  await page.evaluate('self.longTasks.length = 0');
  await page.getByRole('table').hover();
  for (let wheel = 0; wheel < wheels; wheel += 1) {
    await page.mouse.wheel(0, wheelPixels);
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => shown()))');
  }
  return page.evaluate<readonly number[]>('self.longTasks');
}

/** A list of 10,000 objects: until its first rows, and while it is scrolled. */
export const manyObjects: Measure<ConsoleBench> = {
  name: 'many-objects',
  async run(bench): Promise<readonly Row[]> {
    const console = await bench.filled();
    const times: number[] = [];
    const tasks: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      await using window = await console.open();
      const { page } = window;
      await page.addInitScript(watching);
      await page.goto(`${console.server.url}/console/VastTag`);
      await page.evaluate(noted('firstRowMs'));
      times.push(await page.evaluate<number>(rowsMs));
      await page.waitForLoadState('networkidle');
      tasks.push(...(await scrolled(page)));
    }
    return [
      {
        title: `List of ${tags.toLocaleString('en')}, shown`,
        targets: [
          { what: 'first rows after the answer', value: median(times), unit: 'milliseconds', atMost: 500 },
          { what: 'longest task', value: Math.max(0, ...tasks), unit: 'milliseconds', atMost: 50 },
        ],
        details: [{ what: 'tasks above 50 ms', value: tasks.length, unit: 'count' }],
      },
    ];
  },
};
