import { integer, listOf, text } from '../member-types.ts';

/* Shared types. OpenRTB names no bounds; these are far above what makes sense. */

const itemsMax = 100;

/** Pixels, years, bits per second. */
export const whole = integer(0, 2_147_483_647);
/** Of a list of AdCOM or OpenRTB. */
export const code = integer(0, 1_000_000);
/** Only passed on. */
export const codes = listOf(code, itemsMax);
/** Only passed on. */
export const words = listOf(text, itemsMax);
/** Read by rules: creative attributes, sections of the GPP string. */
export const manyCodes = listOf(integer(-1_000_000, 1_000_000), 1000);
/** Read by rules: domains, categories, seats. */
export const manyWords = listOf(text, 10_000);
export const objectsMax = itemsMax;
