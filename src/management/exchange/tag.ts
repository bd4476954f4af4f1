import type { Tag } from '../endpoint/endpoint.ts';

export const exchangeTag: Tag = { name: 'Exchange', description: 'What the exchange serves, and why.' };
