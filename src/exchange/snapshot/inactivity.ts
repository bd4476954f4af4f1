import { type Refusal, refuse } from '../reasons.ts';
import type { ExchangeObject } from './exchange-object.ts';

/**
 * Why an object does not serve: its own status, or that of its owner, which `ownerField` names; undefined where it
 * serves.
 */
export function inactivity(
  { isActive, account }: Pick<ExchangeObject, 'isActive' | 'account'>,
  ownerField: 'PublisherId' | 'AdvertiserId',
): Refusal | undefined {
  if (!isActive) return refuse('inactive', { field: 'Status', wanted: 0, met: 1 });
  if (account.isActive) return undefined;
  return refuse('owner_inactive', { field: ownerField, wanted: 'an active one', met: account.id });
}
