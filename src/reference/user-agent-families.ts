import { BROWSER_MAP, OS_MAP } from 'bowser';

type Family = { readonly Family: string };

/** Answered by bowser 2.15, but not in its map (`test/reference` compares). */
const unmapped = ['Miui', 'Opera Touch', 'PlayStation 4', 'SlimerJS'];

/** In bowser's map, but never answered. */
const unused = new Set(['generic']);

const mapped = Object.entries(BROWSER_MAP).flatMap(([key, name]) => (unused.has(key) ? [] : [name]));
const osNames = new Set(Object.values(OS_MAP));
const browserNames = new Set([...mapped, ...unmapped]);

function catalogue(names: ReadonlySet<string>): readonly Family[] {
  return [...names].sort().map((Family) => ({ Family }));
}

/** For `Os`: all that the user-agent parser, bowser, tells apart. */
export const operatingSystems: readonly Family[] = catalogue(osNames);

/** For `Browsers`: all that bowser tells apart. For unknown agents it answers a part of their own text. */
export const browsers: readonly Family[] = catalogue(browserNames);

/** Letter for letter. */
export function isOsFamily(name: string): boolean {
  return osNames.has(name);
}

/** Letter for letter. */
export function isBrowserFamily(name: string): boolean {
  return browserNames.has(name);
}
