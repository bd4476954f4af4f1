import { integer, listOf, text } from '../member-types.ts';

/* Types that members of several objects have. OpenRTB names no bounds; these are far above what makes sense. */

const itemsMax = 100;

/** Any number that is counted: pixels, years, bits per second. */
export const whole = integer(0, 2_147_483_647);
/** A code of a list of AdCOM or OpenRTB. */
export const code = integer(0, 1_000_000);
/** Codes that are only passed on. */
export const codes = listOf(code, itemsMax);
/** Texts that are only passed on. */
export const words = listOf(text, itemsMax);
/** Codes that a rule reads: creative attributes, sections of the GPP string. */
export const manyCodes = listOf(integer(-1_000_000, 1_000_000), 1000);
/** Texts that a rule reads: domains, categories, seats. */
export const manyWords = listOf(text, 10_000);
export const objectsMax = itemsMax;
