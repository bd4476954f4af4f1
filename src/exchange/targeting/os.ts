import { softwareRule } from './software.ts';

/** Admits the listed operating systems and versions. */
export const os = softwareRule('Os', 'os');
