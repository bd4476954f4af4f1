import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A dialog hides what is behind it (`aria-modal`), so that it is all that can be used. */
const usable = "document.querySelector('[role=dialog][aria-modal]') ?? document";

/**
 * What axe-core finds wrong with a page as it is now, each with what would mend it; none where people with any aid can use
 * it. `ofColours`: only what depends on them. What a player plays, in a frame of its own, is not the console's.
 */
export async function violations(page: Page, ofColours = false): Promise<readonly string[]> {
  // It stays in a page that goes on by itself.
  if (!(await page.evaluate<boolean>('"axe" in self'))) await page.evaluate(axe);
  const { violations: found } = (await page.evaluate(
    `axe.run(${usable}, { iframes: false, ${ofColours ? 'runOnly: ["color-contrast", "link-in-text-block"]' : ''} })`,
  )) as {
    violations: readonly Violation[];
  };
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`),
  );
}

const stillMaxMs = 20_000;

/**
 * Waits until nothing changes its colour or size any more; what never comes to rest is a fault. (`finished` of an
 * animation that another took the place of may never be.)
 */
export async function still(page: Page): Promise<void> {
  const moving = await page.evaluate<number>(
    `new Promise((end) => {
      const until = performance.now() + ${stillMaxMs};
      const look = () => {
        const { length } = document.getAnimations();
        if (length === 0 || performance.now() > until) end(length);
        else setTimeout(look, 20);
      };
      requestAnimationFrame(() => requestAnimationFrame(look));
    })`,
  );
  assert.equal(moving, 0, 'it does not come to rest');
}

/** Shows a page in a scheme, and waits until it has come to rest there. */
export async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await still(page);
}
