import { BROWSER_MAP, OS_MAP } from 'bowser';

type Family = { readonly Family: string };

/** Names that bowser 2.15 answers although its own map lacks them (`test/reference` compares its rules). */
const unmapped = ['Miui', 'Opera Touch', 'PlayStation 4', 'SlimerJS'];

/** A key of bowser's map whose name none of its rules answers. */
const unused = new Set(['generic']);

const mapped = Object.entries(BROWSER_MAP).flatMap(([key, name]) => (unused.has(key) ? [] : [name]));
const osNames = new Set(Object.values(OS_MAP));
const browserNames = new Set([...mapped, ...unmapped]);

function catalogue(names: ReadonlySet<string>): readonly Family[] {
  return [...names].sort().map((Family) => ({ Family }));
}

/** `Os` of targeting: every operating system that the installed user-agent parser, bowser, tells apart. */
export const operatingSystems: readonly Family[] = catalogue(osNames);

/** `Browsers` of targeting: those that bowser tells apart. For unknown agents it answers a part of their own text. */
export const browsers: readonly Family[] = catalogue(browserNames);

/** Whether `name` is, letter for letter, a family of `operatingSystems`. */
export function isOsFamily(name: string): boolean {
  return osNames.has(name);
}

/** Whether `name` is, letter for letter, a family of `browsers`. */
export function isBrowserFamily(name: string): boolean {
  return browserNames.has(name);
}
