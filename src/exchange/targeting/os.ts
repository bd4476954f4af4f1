import { softwareRule } from './software.ts';

export const os = softwareRule('Os', 'os');
