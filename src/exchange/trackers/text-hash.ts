import { stableHash } from '../../shared/hash.ts';

/** To compare texts without storing them; 0 only for `""`. */
export const textHash = (text: string): number => (text === '' ? 0 : stableHash(text) || 1);
