import type { Browser } from 'playwright-core';

let lent: Promise<Browser> | undefined;
let borrowers = 0;
let isKept = false;

async function started(): Promise<Browser> {
  const { startBrowser } = await import('./browser.ts');
  return startBrowser();
}

/** The browser of this process, which its test files share; each gives it back. */
export function borrowBrowser(): Promise<Browser> {
  borrowers += 1;
  lent ??= started();
  return lent;
}

/** Closes the windows of the borrower who gives it back as the last, and ends it where no other file comes. */
export async function returnBrowser(): Promise<void> {
  borrowers -= 1;
  if (borrowers > 0) return;
  const browser = await lent;
  if (!isKept) return endBrowser();
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Lets the browser stay for files to come, until it is ended. */
export function keepBrowser(): void {
  isKept = true;
}

/** Ends the browser, where one was started. */
export async function endBrowser(): Promise<void> {
  const browser = await lent;
  lent = undefined;
  await browser?.close();
}
