import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { ConsoleRoom, Stored } from '../test/console/console-room.ts';
import type { ShownObjects } from '../test/console/screens.ts';

interface Scene {
  readonly page: Page;
  readonly room: ConsoleRoom;
  readonly objects: ShownObjects;
}

/** Something that has to be done in a first week. */
type Task = { readonly name: string } & (
  | { readonly begins: string; readonly play: (scene: Scene) => Promise<unknown> }
  /** What the console has not yet. */
  | { readonly lacks: string }
);

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const link = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).first().click();
const part = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Parts of the object' })
    .getByRole('link', { name, exact: true })
    .click();
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function chooseFirst(page: Page, field: string, text: string): Promise<void> {
  await page.locator(`#field-${field}`).click();
  await page.locator(`#field-${field}`).fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

/** An open form: fills in fields by their names, and adds. */
async function addObject(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await page.getByLabel('Find a field').fill(name);
    await page.locator(`#field-${name}`).fill(value);
  }
  await page.getByLabel('Find a field').fill('');
  await button(page, 'Add');
}

async function download(page: Page, press: () => Promise<unknown>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await file.path(), 'utf8');
}

export const firstWeek: readonly Task[] = [
  {
    name: 'Add a publisher',
    begins: '/',
    async play({ page }) {
      await menu(page, 'Publishers');
      await link(page, 'New Publisher');
      await chooseFirst(page, 'Country', 'Germany');
      await addObject(page, { Mail: 'desk@week.example', Name: 'Week Media', Username: 'week-media' });
      await heading(page, 'Week Media');
    },
  },
  {
    name: 'Add a campaign with its film',
    begins: '/',
    async play({ page }) {
      await menu(page, 'Campaigns');
      await link(page, 'New Campaign');
      await page.locator('#field-AdvertiserId').click();
      await page.getByRole('option').first().click();
      await addObject(page, {
        Name: 'Week film',
        Cpm: '4',
        MediaUrl: 'https://cdn.week.example/film.mp4',
        ClickUrl: 'https://week.example/',
      });
      await heading(page, 'Week film');
    },
  },
  {
    name: 'Add a tag of that publisher, and connect demand',
    begins: '/console/Publisher',
    async play({ page }) {
      await link(page, 'Week Media');
      await part(page, 'Overview');
      await link(page, 'New VAST Tag');
      await addObject(page, { Name: 'Week pre-roll', Bidfloor: '1' });
      await heading(page, 'Week pre-roll');
      await part(page, 'Connections');
      const section = page.locator('section', { has: page.getByRole('heading', { name: /^Campaigns/ }) });
      await section.getByRole('button', { name: 'Connect…' }).click();
      await button(page, 'Connect Week film');
      await page.keyboard.press('Escape');
      await button(page, 'Save');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'See that the ad plays',
    begins: '/console/VastTag?q=Week+pre-roll',
    async play({ page }) {
      await link(page, 'Week pre-roll');
      await part(page, 'Test');
      await button(page, 'Run a test');
      await page.getByText('An ad is shown').waitFor();
    },
  },
  {
    name: 'Hand the publisher code for Google Ad Manager',
    begins: '/console/VastTag?q=Week+pre-roll',
    async play({ page }) {
      await link(page, 'Week pre-roll');
      await part(page, 'Integration');
      await button(page, 'Google Ad Manager');
      await page.getByRole('region', { name: 'The code' }).getByText('%%CACHEBUSTER%%').waitFor();
      await page.getByRole('link', { name: 'Mail to the publisher' }).waitFor();
    },
  },
  {
    name: 'Find the line for ads.txt, and whether it is there',
    begins: '/console/Publisher',
    async play({ page }) {
      await link(page, 'Week Media');
      await part(page, 'Overview');
      await page
        .getByRole('region', { name: 'ads.txt and sellers.json' })
        .getByText(/DIRECT|RESELLER/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'Give the publisher a login',
    begins: '/console/Publisher',
    async play({ page }) {
      await link(page, 'Week Media');
      await part(page, 'Overview');
      await button(page, 'Invite');
      await page.getByRole('dialog').getByLabel('Mail address').fill('grace@week.example');
      await page.getByRole('dialog').getByLabel('First name').fill('Grace');
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
      await page.getByText('#invite=').waitFor();
    },
  },
  {
    name: 'Show the film in Germany and Austria only, for 50 USD a day',
    begins: '/console/Campaign?q=Week+film',
    async play({ page }) {
      await link(page, 'Week film');
      await page.getByLabel('Find a field').fill('Countries');
      for (const name of ['Germany', 'Austria']) await chooseFirst(page, 'Countries', name);
      await page.getByRole('heading', { level: 1 }).click();
      await page.getByLabel('Find a field').fill('SpendDailyLimit');
      await page.locator('#field-SpendDailyLimit').fill('50');
      await button(page, 'Save');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    },
  },
  { name: 'Upload a film instead of linking one', lacks: 'creatives are linked by their URL' },
  {
    name: 'Block 1,000 domains from a file with bad lines',
    begins: '/',
    async play({ page }) {
      await menu(page, 'Domain Lists');
      await link(page, 'New Domain List');
      await addObject(page, { Name: 'Week block' });
      await heading(page, 'Week block');
      await part(page, 'Lines');
      const lines = Array.from({ length: 1000 }, (_, index) => `site-${index}.example`);
      const buffer = Buffer.from([...lines, 'not a domain', 'http//broken'].join('\n'));
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'block.txt', mimeType: 'text/plain', buffer });
      await page
        .getByRole('button', { name: /^(Add|Replace)/ })
        .first()
        .click();
      await button(page, /^Leave out 2/);
      await page.getByText(/1,000 now/).waitFor();
    },
  },
  {
    name: 'Sell a deal to a DSP',
    begins: '/',
    async play({ page }) {
      await menu(page, 'Deals');
      await link(page, 'New Deal');
      await addObject(page, { Name: 'Week deal', Code: 'week-1', Price: '6' });
      await heading(page, 'Week deal');
    },
  },
  { name: 'Take another floor in one country', lacks: 'floor rules' },
  { name: 'Sell in the evening only', lacks: 'hours of the day' },
  {
    name: 'Raise the floor of 200 tags by 10 %, and take it back',
    begins: '/console/VastTag?q=Zone',
    async play({ page }) {
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await button(page, 'Change a field…');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Field' }).fill('Bid floor');
      await page.getByRole('option', { name: 'Bid floor', exact: true }).click();
      await dialog.getByRole('combobox', { name: 'What to do' }).click();
      await page.getByRole('option', { name: 'Increase by percent' }).click();
      await dialog.getByRole('textbox', { name: 'Increase by percent' }).fill('10');
      await dialog.getByRole('button', { name: 'See the differences' }).click();
      await dialog.getByRole('button', { name: /^(Change|Make)/ }).click();
      await dialog.getByRole('button', { name: 'Undo all' }).click();
      await dialog.getByText(/200/).first().waitFor();
    },
  },
  {
    name: 'Edit tags in a spreadsheet',
    begins: '/console/VastTag?q=Zone',
    async play({ page }) {
      await button(page, /^Export/);
      const text = await download(page, () => page.getByRole('menuitem', { name: /CSV/ }).first().click());
      await button(page, 'Import');
      const buffer = Buffer.from(text.replaceAll(/Zone (\d+)/g, 'Place $1'));
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'edited.csv', mimeType: 'text/csv', buffer });
      await button(page, 'Change 200');
      await page.getByRole('dialog', { name: '200 changed' }).waitFor();
    },
  },
  {
    name: 'See why a tag shows no ad',
    begins: '/console/VastTag?q=Week+pre-roll',
    async play({ page }) {
      await link(page, 'Week pre-roll');
      await part(page, 'Why no ad?');
      await page.getByText('A request of mine', { exact: true }).click();
      await button(page, 'Explain');
      await page.getByText('won').or(page.getByText('refused')).first().waitFor();
    },
  },
  {
    name: 'Switch a DSP off and on again',
    begins: '/console/DspVastTag',
    async play({ page, room }) {
      const [dsp] = await room.api<readonly Stored[]>('/api/ortb/dspvasttag/get');
      await page.getByRole('switch', { name: `${dsp?.Name} is active` }).click();
      const sure = page.getByRole('dialog').getByRole('button', { name: /^(Switch off|Deactivate)/ });
      await sure
        .or(page.getByRole('button', { name: 'Undo' }))
        .first()
        .click();
      if (await page.getByRole('button', { name: 'Undo' }).count()) await button(page, 'Undo');
    },
  },
  {
    name: 'Find what moved revenue',
    begins: '/',
    play: ({ page }) =>
      page.getByRole('region', { name: 'What moved' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'Report by country and hour, in the own time zone',
    begins: '/console/reports?period=Today&by=Hour,Country&zone=Europe/Berlin&figures=Requests',
    play: ({ page }) => page.getByRole('table', { name: 'Report' }).getByRole('row').nth(1).waitFor(),
  },
  {
    name: 'Send a report each Monday',
    begins: '/console/reports?period=Today&by=Supply&figures=Requests',
    async play({ page }) {
      await button(page, 'Save…');
      await page.getByRole('dialog').getByLabel('Name').fill('Week');
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await heading(page, 'Week');
      await button(page, 'Schedule and receivers');
      const dialog = page.getByRole('dialog', { name: 'Schedule and receivers' });
      await dialog.locator('#field-WebhookUrl').fill('https://hooks.example/week');
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'Be told when a DSP cannot be called',
    begins: '/console/alerts',
    async play({ page }) {
      await button(page, /^A DSP cannot be called/);
      await page.getByRole('link', { name: 'DSP unavailable' }).waitFor();
    },
  },
  {
    name: 'See who changed what, by object and user',
    begins: '/',
    async play({ page }) {
      await menu(page, 'History');
      await page
        .getByText(/added|changed/)
        .first()
        .waitFor();
    },
  },
  { name: 'Close the month and pay the publisher', lacks: 'statements' },
];
