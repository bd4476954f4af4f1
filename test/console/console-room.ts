import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Config } from '../../src/config.ts';
import { openConsole } from '../../src/console-pages/built-console.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';

/** Values of an object, by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** An object as the API answers it. */
export type Stored = Values & { readonly Id: number };

/** A person in front of the console. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page has logged as errors, and what it threw: nothing, unless a test wants it so. */
  readonly complaints: string[];
}

/** A server with its console, and a browser. */
export interface ConsoleRoom extends TestServer {
  readonly browser: Browser;
  /** Calls the management API as the administrator, by GET without a body. */
  readonly api: <T = Values>(path: string, body?: Values) => Promise<T>;
  /** Adds an object, and answers it. */
  readonly add: (path: string, wrapper: string, values: Values) => Promise<Stored>;
  /** Opens the console at a path in a browser window of its own, logged in unless `isStranger`. */
  readonly visit: (
    path: string,
    options?: BrowserContextOptions & { readonly isStranger?: boolean },
  ) => Promise<Visitor>;
}

const desk = { width: 1440, height: 900 };
/** What a browser logs of answers that a page takes in its stride: it asks who is logged in, and what a form's faults are. */
const expected = /status of (401|406|412)/;

/** A window of its own, of which is heard what goes wrong. */
export async function watched(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ viewport: desk, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !expected.test(message.text())) complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** Logs in through the form that is shown. */
export async function logIn(
  page: Page,
  { mail, password }: Pick<TestServer, 'mail' | 'password'>,
): Promise<void> {
  await page.getByLabel('Mail address').fill(mail);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** Logs a window in, as the form of the login does. */
async function enter(
  context: BrowserContext,
  { url, mail, password }: TestServer,
  userAgent = '',
): Promise<void> {
  const isHeader = /^[ -~]+$/.test(userAgent);
  // Not by `context.request`, which refuses a hostile `userAgent` of the window.
  const answer = await fetch(`${url}/api/auth/session`, {
    method: 'POST',
    headers: { 'Bourse-Console': '1', ...(isHeader && { 'User-Agent': userAgent }) },
    body: JSON.stringify({ Username: mail, Password: password }),
  });
  assert.equal(answer.status, 200, await answer.text());
  const cookies = answer.headers.getSetCookie().map((cookie) => {
    const [pair = '', ...attributes] = cookie.split(/; ?/);
    const at = pair.indexOf('=');
    const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
    const { hostname: domain } = new URL(url);
    return { name: pair.slice(0, at), value: pair.slice(at + 1), domain, path, httpOnly: true };
  });
  await context.addCookies(cookies);
}

/** Opens a server with its console, built from the sources as they are, and a browser. */
export async function openConsoleRoom(changes: Partial<Config> = {}): Promise<ConsoleRoom> {
  const built = openConsole();
  await built.prepare();
  const state = built.state();
  assert.equal(state.kind, 'ready', JSON.stringify(state));
  const server = await startTestServer(changes, undefined, { hasConsole: true });
  const browser = await borrowBrowser();
  const api: ConsoleRoom['api'] = async (path, body) => {
    const answer = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${server.token}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    ...server,
    browser,
    api,
    async add(path, wrapper, values) {
      const { [wrapper]: added } = await api<Readonly<Record<string, Stored>>>(`/api/${path}/add`, {
        [wrapper]: values,
      });
      return added ?? assert.fail(`${wrapper} was not answered`);
    },
    async visit(path, { isStranger = false, ...options } = {}) {
      const visitor = await watched(browser, options);
      if (!isStranger) await enter(visitor.context, server, options.userAgent);
      await visitor.page.goto(server.url + path);
      if (!isStranger) await visitor.page.getByRole('navigation', { name: 'Main' }).waitFor();
      return visitor;
    },
    async close() {
      await returnBrowser();
      await server.close();
    },
  };
}

/** A publisher's values, valid and short. */
export const publisher = {
  Name: 'Example Media',
  Mail: 'desk@example.com',
  Country: 'DE',
  Username: 'example',
};
