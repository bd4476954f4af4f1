import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { copiedProgram } from '../entities/copied-program.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { startBrowser } from '../support/browser.ts';
import { logIn, publisher } from './console-room.ts';

const program = copiedProgram();
program.addLine({
  file: 'src/entities/vast-tag.ts',
  after: '    Bidfloor: supply.Bidfloor,',
  line: `    ...section('Price', {
      MoonPhase: int({ help: 'At which phase of the moon it sells best', unit: 'days', maximum: 29, example: 14 }),
    }),`,
});

let server: SpawnedServer & { readonly token: string };
let browser: Browser;
let page: Page;
before(async () => {
  await program.buildConsole();
  server = await program.serve();
  const add = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await fetch(`${server.url}/api/${path}/add`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.text());
  };
  await add('publisher', { Publisher: publisher });
  await add('ortb/vasttag', { VastTag: { PublisherId: 1, Name: 'Homepage' } });
  browser = await startBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.goto(`${server.url}/console/VastTag/1`);
  await logIn(page, { mail: 'ada@example.com', password: 'correct horse battery' });
});
after(async () => {
  await browser?.close();
  server?.process.kill('SIGTERM');
  await server?.ended;
});

test('a field that one line adds to an entity is in its form, with its help and its bounds', async () => {
  const field = page.getByLabel('Moon phase', { exact: true });
  await page.getByText('At which phase of the moon it sells best').waitFor();
  await field.fill('7');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('1 unsaved change').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.waitFor({ state: 'hidden' });
});

test('it is in the history', async () => {
  const parts = page.getByRole('navigation', { name: 'Parts of the object' });
  await parts.getByRole('link', { name: 'History' }).click();
  const row = page.getByRole('article').filter({ hasText: 'Moon phase' });
  await row.getByText('7 days', { exact: true }).waitFor();
});

test('it is in the column chooser, and a column', async () => {
  await page.goto(`${server.url}/console/VastTag`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Moon phase' }).check();
  await page.getByRole('columnheader', { name: 'Moon phase' }).waitFor();
  await page.getByRole('cell', { name: '7 days', exact: true }).waitFor();
});

test('it is in the filter of the list', async () => {
  const ask = async (operator: string) => {
    await page.goto(`${server.url}/console/VastTag`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Field' }).fill('Moon');
    await page.getByRole('option', { name: 'Moon phase' }).click();
    await page.getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option', { name: operator }).click();
    await page.getByRole('combobox', { name: 'Values' }).fill('7');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(`Moon Phase ${operator} 7`).waitFor();
  };
  await ask('is at least');
  await page.getByRole('link', { name: 'Homepage' }).waitFor();
  await ask('is not one of');
  await page.getByRole('link', { name: 'Homepage' }).waitFor({ state: 'hidden' });
});
