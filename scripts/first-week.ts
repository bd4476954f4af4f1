/**
 * The first week of somebody who runs an exchange, in a real browser: `npm run first-week`. Each task is done from its
 * first click on and told with its clicks and seconds, or with what is missing.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ConsoleRoom } from '../test/console/console-room.ts';
import {
  addManyTags,
  billYesterday,
  countRequests,
  openDemoRoom,
  shownObjects,
} from '../test/console/filled-room.ts';
import { firstWeek } from './first-week-tasks.ts';

const counting = `addEventListener('click', () => sessionStorage.setItem('clicks', 1 + Number(sessionStorage.getItem('clicks') ?? 0)), true)`;
const pictures = mkdtempSync(join(tmpdir(), 'first-week-'));

async function clicksOf(page: Page): Promise<number> {
  return Number(await page.evaluate(`sessionStorage.getItem('clicks') ?? 0`));
}

interface Outcome {
  readonly task: string;
  readonly says: string;
}

async function doTask(room: ConsoleRoom, task: (typeof firstWeek)[number]): Promise<Outcome> {
  const { name } = task;
  if ('lacks' in task) return { task: name, says: `missing: ${task.lacks}` };
  const { page, context } = await room.visit(task.begins);
  page.setDefaultTimeout(15_000);
  const beganMs = performance.now();
  try {
    await page.evaluate(counting);
    await context.addInitScript(counting);
    const objects = await shownObjects(room);
    await task.play({ page, room, objects });
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
    return { task: name, says: `done: ${await clicksOf(page)} clicks, ${seconds} s` };
  } catch (error) {
    const path = join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`);
    await page.screenshot({ path }).catch(() => undefined);
    return { task: name, says: `NOT DONE: ${String(error).split('\n')[0]} (${path})` };
  } finally {
    await context.close();
  }
}

// The server alone does not keep this process.
const alive = setInterval(() => undefined, 60_000);
const room = await openDemoRoom();
await addManyTags(room, 200);
await countRequests(room);
await billYesterday(room, { supply: { kind: 'VastTag', id: 1 }, demand: { kind: 'DspVastTag', id: 1 } });
let failed = 0;
for (const [index, task] of firstWeek.entries()) {
  const { says } = await doTask(room, task);
  if (says.startsWith('NOT')) failed += 1;
  console.log(`${String(index + 1).padStart(2)} ${task.name.padEnd(62)} ${says}`);
}
await room.close();
clearInterval(alive);
process.exitCode = failed === 0 ? 0 : 1;
