import { softwareRule } from './software.ts';

export const browser = softwareRule('Browsers', 'browser');
