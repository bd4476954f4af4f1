import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import type { ConsoleRoom } from './console-room.ts';
import { openDemoRoom } from './filled-room.ts';
import { addressOf, runShown, type ShownCall } from './shown-calls.ts';

const lines = 'one.example\ntwo.example\n';
const config = JSON.stringify({ Version: 1 });
const secret = 'typed by a person';

let room: ConsoleRoom;
before(async () => {
  room = await openDemoRoom();
  await room.api('/api/ortb/vasttag/update', { VastTag: { Id: 1, MaxQps: 30 } });
});
after(() => room?.close());

const dialog = (page: Page) => page.getByRole('dialog').first();
const press = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true }).first().click();
const chooseFile = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const ofUser = (item: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'What to do with Nora' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const confirm = (name: string) => (page: Page) => press(dialog(page), name);
const save = async (page: Page) => {
  await press(page, 'Save');
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
};
const typeName = async (page: Page) => {
  await page.getByLabel('Name', { exact: true }).fill("It's renamed");
  await page.getByText('1 unsaved change').waitFor();
};

interface Action {
  readonly at: string;
  /** The names of the calls that one button shows. */
  readonly shows: readonly string[];
  /** What is done before. */
  readonly first?: (page: Page) => Promise<void>;
  /** What makes the console send one of them, by its name. */
  readonly sends?: readonly [name: string, act: (page: Page) => Promise<void>];
}

/** What is done in the console, in an order in which nothing stands in another's way. */
const actions: readonly Action[] = [
  {
    at: '/console/VastTag?status=active&sort=-Bidfloor&filter=%5B%7B%22Field%22%3A%22Bidfloor%22%2C%22Operator%22%3A%22at_least%22%2C%22Values%22%3A%5B0%5D%7D%5D',
    shows: ['Fetch this list'],
  },
  {
    at: '/console/reports?period=Today&by=Hour%2CSupply&sort=-Requests&limit=10&zone=Asia%2FKolkata',
    shows: ['Ask for this report', 'As CSV'],
    sends: ['As CSV', (page) => press(page, 'CSV')],
  },
  {
    at: '/console/reports?from=2026-01-31&to=2026-02-28&by=Country&compare=Week&filter=%5B%7B%22Field%22%3A%22Country%22%2C%22Operator%22%3A%22NotIn%22%2C%22Values%22%3A%5B%22DE%22%5D%7D%5D',
    first: async (page) => {
      await press(page, 'Save…');
      await dialog(page).getByLabel('Name').fill("It's ours");
    },
    shows: ['Save'],
    sends: ['Save', confirm('Save')],
  },
  {
    at: '/console/VastTag',
    first: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await press(page, 'Deactivate…');
      await dialog(page)
        .getByRole('button', { name: /^Change \d/ })
        .waitFor();
    },
    shows: ['Change'],
    sends: [
      'Change',
      (page) =>
        dialog(page)
          .getByRole('button', { name: /^Change \d/ })
          .click(),
    ],
  },
  {
    at: '/console/VastTag/1',
    shows: ['Fetch', 'Activate'],
    sends: ['Activate', (page) => page.getByRole('switch', { name: 'Off' }).press('Space')],
  },
  {
    at: '/console/VastTag/1',
    first: typeName,
    shows: ['Save'],
    sends: ['Save', save],
  },
  {
    at: '/console/VastTag/1/history',
    shows: ['Revert', 'As it was', 'As it was before'],
    sends: ['As it was', (page) => press(page, 'As it was')],
  },
  {
    at: '/console/VastTag/1/connections',
    first: (page) => page.getByRole('button', { name: 'Disconnect' }).first().click(),
    shows: ['Save'],
    sends: ['Save', save],
  },
  {
    at: '/console/VastTag/1/why',
    first: async (page) => {
      await page.getByText('A request of mine').click();
      await page.getByLabel('ip', { exact: true }).fill('93.184.216.34');
    },
    shows: ['Explain', 'Run for real'],
    sends: ['Explain', (page) => press(page, 'Explain')],
  },
  {
    at: '/console/VastTag/1/test',
    shows: ['Run a test', 'Make a test URL'],
    sends: ['Run a test', (page) => press(page, 'Run a test')],
  },
  {
    at: '/console/VastTag/new',
    first: async (page) => {
      await page.getByRole('combobox', { name: 'Publisher' }).click();
      await page.getByRole('option').first().click();
      await page.getByLabel('Name', { exact: true }).fill('Added "here"');
    },
    shows: ['Add'],
    sends: ['Add', (page) => press(page, 'Add')],
  },
  {
    at: '/console/Publisher/1?field=StatsAuth',
    first: (page) => press(page, 'Replace…'),
    shows: ['Replace'],
    sends: ['Replace', confirm('Replace')],
  },
  {
    at: '/console/DomainList/1/lines',
    first: async (page) => {
      await page.getByText('Replace all').click();
      await chooseFile(page, 'li"st.txt', lines);
    },
    shows: ['Replace all lines', 'Fetch the lines'],
    sends: ['Replace all lines', (page) => page.getByRole('button', { name: /^Replace \d/ }).click()],
  },
  {
    at: '/console/DomainList/new',
    first: (page) => chooseFile(page, 'li"st.txt', lines),
    shows: ['Add'],
    sends: ['Add', (page) => press(page, 'Add')],
  },
  { at: '/console/configuration', shows: ['Export'] },
  {
    at: '/console/configuration?missing=deactivate',
    // A worker sends these, of which a browser does not tell.
    shows: ['Show the plan', 'Apply'],
  },
  { at: '/console/settings/users', shows: ['List users'] },
  {
    at: '/console/settings/users',
    first: async (page) => {
      await press(page, 'Invite');
      await dialog(page).getByLabel('Mail address').fill('nora@example.com');
      await dialog(page).getByLabel('First name').fill('Nora');
    },
    shows: ['Invite'],
    sends: ['Invite', confirm('Invite')],
  },
  {
    at: '/console/settings/users',
    first: ofUser('Change name and role…'),
    shows: ['Save'],
    sends: ['Save', confirm('Save')],
  },
  {
    at: '/console/settings/users',
    first: ofUser('Make a link to set the password…'),
    shows: ['Make a link to set the password'],
    sends: ['Make a link to set the password', confirm('Make a link to set the password')],
  },
  {
    at: '/console/settings/users',
    first: ofUser('Shut out…'),
    shows: ['Shut out'],
    sends: ['Shut out', confirm('Shut out')],
  },
  { at: '/console/settings/keys', shows: ['List keys'] },
  {
    at: '/console/settings/keys',
    first: async (page) => {
      await press(page, 'New key');
      await dialog(page).getByLabel('What it is for').fill('nightly');
    },
    shows: ['Add'],
    sends: ['Add', confirm('Add')],
  },
  {
    at: '/console/settings/keys',
    first: (page) => press(page, 'Revoke nightly'),
    shows: ['Revoke'],
    sends: ['Revoke', confirm('Revoke')],
  },
  { at: '/console/settings/sessions', shows: ['List sessions'] },
  { at: '/console/settings/team', shows: ['Fetch the team'] },
  {
    at: '/console/settings',
    first: (page) => page.getByLabel('Last name').fill('Lovelace'),
    shows: ['Save names'],
    sends: ['Save names', (page) => press(page, 'Save')],
  },
  {
    at: '/console/settings',
    first: async (page) => {
      await page.getByLabel('Current password').fill(secret);
      await page.getByLabel('New password').fill(secret);
    },
    shows: ['Change the password'],
  },
  {
    at: '/console/settings',
    first: async (page) => {
      await press(page, 'Set up…');
      await dialog(page).getByLabel('Your password').fill(secret);
    },
    shows: ['Go on'],
  },
];

/** Reads what a button shows, and leaves it with the key that leaves dialogs. */
async function shownCalls(page: Page, names: readonly string[]): Promise<ReadonlyMap<string, ShownCall>> {
  await page
    .locator(`button[aria-label="As API call"][aria-description="${names.join(', ')}"]`)
    .first()
    .click();
  const shown = page.getByRole('dialog', { name: 'As API call' });
  const read = async (tab: string) => {
    await shown.getByRole('tab', { name: tab }).click();
    return (await shown.getByRole('tabpanel').locator('pre').textContent()) ?? '';
  };
  const calls = new Map<string, ShownCall>();
  for (const name of names) {
    await shown.getByText(name, { exact: true }).click();
    calls.set(name, { curl: await read('curl'), client: await read('TypeScript client') });
  }
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'hidden' });
  return calls;
}

/** What the console has sent; of a form not the content, of which a browser does not tell. */
const sentOf = (request: Request) => ({
  method: request.method(),
  address: addressOf(request.url()),
  ifMatch: request.headers()['if-match'],
  content: request.headers()['content-type']?.startsWith('multipart/')
    ? undefined
    : (request.postDataJSON() ?? undefined),
});

/** Whether a request goes where a shown call goes, and asks what that asks. */
const isAsShown =
  ({ curl }: ShownCall) =>
  (request: Request): boolean => {
    const shown = new URL(/^curl (?:-G )?'([^']*)'/m.exec(curl)?.[1] ?? assert.fail(curl));
    const { pathname, searchParams } = new URL(request.url());
    const asked = [...curl.matchAll(/--data-urlencode '([^=]+)=([^']*)'/g)];
    return (
      pathname === shown.pathname &&
      searchParams.has('DryRun') === shown.searchParams.has('DryRun') &&
      asked.every(([, name = '', value]) => searchParams.get(name) === value)
    );
  };

test('every action is shown as the call that it makes, for a shell and for the typed client', async () => {
  const { page } = await room.visit('/');
  const shown: { readonly at: string; readonly name: string; readonly call: ShownCall }[] = [];
  const sent = new Map<number, Request>();
  for (const { at, shows, first, sends } of actions) {
    await page.goto(room.url + at);
    await first?.(page);
    const calls = await shownCalls(page, shows);
    for (const [name, call] of calls) {
      shown.push({ at, name, call });
      if (name !== sends?.[0]) continue;
      const [request] = await Promise.all([page.waitForRequest(isAsShown(call)), sends[1](page)]);
      await request.response();
      sent.set(shown.length - 1, request);
    }
  }
  const texts = shown.map(({ call }) => call);
  assert.ok(!texts.some(({ curl, client }) => (curl + client).includes(secret)), 'a secret is shown');
  const made = await runShown(texts, room.url, { 'bourse.json': config, 'li"st.txt': lines });
  assert.equal(made.compiler, '');
  for (const [index, { at, name, call }] of shown.entries()) {
    const what = `${name} at ${at}: ${call.curl}`;
    const byShell = made.shell.sent.get(index) ?? assert.fail(`${what}\n${made.shell.output}`);
    assert.deepEqual(made.program.sent.get(index), byShell, `${what}\n${made.program.output}`);
    const request = sent.get(index);
    if (!request) continue;
    const own = sentOf(request);
    assert.deepEqual(own, { ...byShell, content: own.content && byShell.content }, what);
  }
  const fetched = shown.filter((_, index) => made.shell.sent.get(index)?.method === 'GET');
  assert.ok(fetched.length > 5);
  for (const { call } of fetched) {
    const index = texts.indexOf(call);
    const answer = await room.api(made.shell.sent.get(index)?.address ?? '');
    assert.ok(answer);
  }
});
