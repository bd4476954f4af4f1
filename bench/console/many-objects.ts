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

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds on a core. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest time on a core of a task of a page's main thread; what else the machine does is not in it. */
function longestCpuMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const mains = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(
    ({ name, pid, tid, tdur }) => /RunTask/.test(name) && tdur !== undefined && mains.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Scrolls as with a wheel, frame by frame. */
async function scrolled(page: Page): Promise<{ readonly longMs: readonly number[]; readonly cpuMs: number }> {
  await page.evaluate('self.longTasks.length = 0');
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await page.getByRole('table').hover();
  for (let wheel = 0; wheel < wheels; wheel += 1) {
    await page.mouse.wheel(0, wheelPixels);
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => shown()))');
  }
  const trace = (await browser?.stopTracing()) ?? Buffer.from('{}');
  return { longMs: await page.evaluate<readonly number[]>('self.longTasks'), cpuMs: longestCpuMs(trace) };
}

/** A list of 10,000 objects: until its first rows, and while it is scrolled. */
export const manyObjects: Measure<ConsoleBench> = {
  name: 'many-objects',
  async run(bench): Promise<readonly Row[]> {
    const console = await bench.filled();
    const times: number[] = [];
    const tasks: number[] = [];
    const cpuMs: number[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      await using window = await console.open();
      const { page } = window;
      await page.addInitScript(watching);
      await page.goto(`${console.server.url}/console/VastTag`);
      await page.evaluate(noted('firstRowMs'));
      times.push(await page.evaluate<number>(rowsMs));
      await page.waitForLoadState('networkidle');
      const scrolling = await scrolled(page);
      tasks.push(...scrolling.longMs);
      cpuMs.push(scrolling.cpuMs);
    }
    return [
      {
        title: `List of ${tags.toLocaleString('en')}, shown`,
        targets: [
          { what: 'first rows after the answer', value: median(times), unit: 'milliseconds', atMost: 500 },
          { what: 'longest task', value: Math.max(0, ...tasks), unit: 'milliseconds', atMost: 50 },
        ],
        details: [
          { what: 'of it on a core', value: Math.max(...cpuMs), unit: 'milliseconds' },
          { what: 'tasks above 50 ms', value: tasks.length, unit: 'count' },
        ],
      },
    ];
  },
};
