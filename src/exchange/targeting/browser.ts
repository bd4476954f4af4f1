import { softwareRule } from './software.ts';

/** Admits the listed browsers and versions. */
export const browser = softwareRule('Browsers', 'browser');
