import type { Lack } from '../../src/answers/object-health.ts';
import { titleOf } from './value-text.ts';

/** What is wrong, in a few words: what follows and what helps comes after. */
export const lackText = ({ Field, Message }: Lack): string =>
  `${titleOf(Field)} ${Message.replace(/[,:;].*$/s, '')}`;
