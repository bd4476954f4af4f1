import { hash } from 'node:crypto';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';

const hashCharacters = 8;

/**
 * The same on all machines, whatever else is configured. It begins with the advertiser, so that no other one can make
 * its URL's hash the same.
 */
export function partnerOf({ SyncType, SyncUrl }: Demand['settings'], { id }: Pick<Account, 'id'>): string {
  if (!SyncType || !SyncUrl) return '';
  return `${id}-${hash('sha256', SyncUrl, 'base64url').slice(0, hashCharacters)}`;
}
