import { softwareRule } from './software.ts';

/** Admits the listed browsers and versions (specification 2.4). */
export const browser = softwareRule('Browsers', 'browser');
