import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openConsole } from '../../src/serving/console/built-console.ts';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { startBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { logIn } from './console-room.ts';

const { serve, run } = bourseProcess();
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
  assert.equal((await run(['demo', '--server', server.url])).code, 0);
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await stopped(server);
});

test('what is typed outlives a restart of the server, which the session does too', async () => {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.goto(`${server.url}/console/VastTag/1`);
  await logIn(page, who);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await page.getByLabel('Name', { exact: true }).fill('Typed before');
  await bar.getByText('1 unsaved change').waitFor();
  await stopped(server);
  await page.getByLabel('Bidfloor', { exact: true }).fill('4');
  await bar.getByText('2 unsaved changes').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('The server does not answer').waitFor();
  server = await serve(environment);
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { name: 'Typed before' }).waitFor();
  assert.match(await page.getByLabel('Bidfloor', { exact: true }).inputValue(), /^4\b/);
});
