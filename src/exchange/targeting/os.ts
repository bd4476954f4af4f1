import { softwareRule } from './software.ts';

/** Admits the listed operating systems and versions (specification 2.4). */
export const os = softwareRule('Os', 'os');
