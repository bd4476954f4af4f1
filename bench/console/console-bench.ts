import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openConsole } from '../../src/console-pages/built-console.ts';
import { logIn, type Values } from '../../test/console/console-room.ts';
import { addDemonstration, addManyTags, countRequests } from '../../test/console/filled-room.ts';
import { startBrowser } from '../../test/support/browser.ts';
import type { Tools } from '../measure.ts';
import { type BourseServer, mail, password, startBourse } from '../servers/bourse.ts';

/** A Bourse with the demonstration and 20,000 VAST tags more, and a browser that was logged in. */
export interface FilledConsole extends BourseServer {
  readonly browser: Browser;
  /** Calls the API: by GET without a body. */
  readonly call: <T>(path: string, body?: Values) => Promise<T>;
  /** Opens a window with an empty cache. A stranger has to log in. */
  readonly open: (options?: { readonly isStranger?: boolean }) => Promise<OpenWindow>;
}

export interface OpenWindow extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface ConsoleBench extends Tools {
  /** The console that they share; it is started and filled at the first call. */
  filled(): Promise<FilledConsole>;
}

/** VAST tags beside those of the demonstration. */
export const tags = 20_000;

/** Calls the API: by GET without a body. */
export const callerOf =
  ({ server: { url }, api: { headers } }: BourseServer) =>
  async <T>(path: string, body?: Values): Promise<T> => {
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url + path, { headers, ...sent });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };

/** Starts and fills a Bourse of its own in `folder`, and a browser. */
export async function startFilledConsole(folder: string): Promise<FilledConsole> {
  await openConsole().prepare();
  const bourse = await startBourse(folder, { threads: 1 });
  const { url } = bourse.server;
  const call = callerOf(bourse);
  await addDemonstration({ api: call });
  // A report without rows shows no table.
  await countRequests({ api: call });
  await addManyTags({ api: call }, tags);
  const browser = await startBrowser();
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(url);
  await logIn(page, { mail, password });
  const storageState = await first.storageState();
  await first.close();
  return {
    ...bourse,
    browser,
    call,
    async open({ isStranger = false } = {}) {
      const viewport = { width: 1440, height: 900 };
      const context = await browser.newContext({ viewport, ...(!isStranger && { storageState }) });
      return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
    },
  };
}
