import type { Tag } from '../endpoint/endpoint.ts';

/** Endpoints about the exchange. */
export const exchangeTag: Tag = { name: 'Exchange', description: 'What the exchange serves, and why.' };
