import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** How somebody uses the console. */
export interface Hand {
  /** Uses a button, a link, or a tab. */
  readonly press: (place: Locator) => Promise<void>;
  /** Turns a switch over. */
  readonly turn: (place: Locator) => Promise<void>;
  /** Puts a text in the place of what is there. */
  readonly type: (place: Locator, text: string) => Promise<void>;
  /** Chooses the one option that has a text. */
  readonly choose: (place: Locator, text: string) => Promise<void>;
  /** Takes one of several that exclude each other. */
  readonly take: (name: string) => Promise<void>;
  /** Opens the form for a new object of a kind. */
  readonly begin: (title: string) => Promise<void>;
  readonly save: () => Promise<void>;
}

const plurals = (title: string) => new RegExp(`^${title}s$`);

/** With the mouse; texts are typed. */
export function mouse(page: Page): Hand {
  const press = (place: Locator) => place.click();
  return {
    press,
    turn: (place) =>
      page.locator('label').filter({ has: place }).or(place.locator('xpath=..')).first().click(),
    type: (place, text) => place.fill(text),
    async choose(place, text) {
      await place.click();
      await page.getByRole('option', { name: text }).click();
      // A list of several stays open until one goes elsewhere.
      await page.getByRole('heading', { level: 1 }).click();
    },
    take: (name) => page.getByText(name, { exact: true }).click(),
    async begin(title) {
      const menu = page.getByRole('navigation', { name: 'Main' });
      await menu.getByRole('link', { name: plurals(title) }).click();
      await page.getByRole('link', { name: `New ${title}` }).click();
    },
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
  };
}

const tabsMax = 150;

/**
 * How far a place is from the one that has the focus, in places that Tab stops at, by their order in the page: below 0
 * where it comes before, 0 where it has the focus. The page first does what the last key has left to do: a dialog looks
 * after the key where the focus has gone, and nobody presses the next one before that.
 */
const distanceTo = (place: Locator) =>
  place.evaluate(async (element) => {
    await new Promise((done) => setTimeout(done));
    const { document } = globalThis as unknown as {
      document: { activeElement: unknown; querySelectorAll(selector: string): Iterable<typeof element> };
    };
    const stops = [
      ...document.querySelectorAll('a[href], button, input, textarea, summary, [tabindex="0"]'),
    ].filter(
      (one) =>
        one === element ||
        one === document.activeElement ||
        (!one.matches(':disabled, [tabindex="-1"], [type=hidden], [type=radio]:not(:checked)') &&
          one.checkVisibility({ visibilityProperty: true })),
    );
    if (document.activeElement === element) return 0;
    return stops.indexOf(element) - stops.indexOf(document.activeElement as typeof element) || 1;
  });

/** By keyboard alone: places are reached by Tab, and screens by the search. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  const reach = async (place: Locator) => {
    await place.waitFor({ state: 'attached' });
    let before = 0;
    for (let tabs = 0; tabs < tabsMax; ) {
      const distance = await distanceTo(place);
      if (distance === 0) return;
      // The page may lead elsewhere than its order lets one think: whoever went too far goes on step by step.
      const steps = before * distance < 0 ? 1 : Math.abs(distance);
      before = distance;
      for (let step = 0; step < steps; step += 1) await keys.press(distance > 0 ? 'Tab' : 'Shift+Tab');
      tabs += steps;
    }
    assert.fail(`${place} cannot be reached`);
  };
  const press = async (place: Locator) => {
    await reach(place);
    await keys.press('Enter');
  };
  return {
    press,
    async turn(place) {
      await reach(place);
      await keys.press('Space');
    },
    async type(place, text) {
      await reach(place);
      await keys.press('Control+A');
      await keys.type(text);
    },
    async choose(place, text) {
      await reach(place);
      await keys.type(text);
      const option = page.getByRole('option', { name: text });
      await option.waitFor();
      await keys.press('ArrowDown');
      await keys.press('Enter');
    },
    async take(name) {
      const wanted = page.getByRole('radio', { name, exact: true });
      await reach(page.getByRole('radio', { checked: true }).first());
      for (let turns = 0; turns < 10 && !(await wanted.isChecked()); turns += 1)
        await keys.press('ArrowRight');
    },
    async begin(title) {
      await keys.press('Control+K');
      const search = page.getByRole('dialog').getByRole('textbox').first();
      await search.waitFor();
      await keys.type(`New ${title}`);
      await page.getByRole('dialog').getByText(`New ${title}`, { exact: true }).first().waitFor();
      await keys.press('Enter');
    },
    save: () => keys.press('Control+S'),
  };
}
