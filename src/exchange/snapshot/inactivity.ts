import { type Refusal, refuse } from '../reasons.ts';
import type { ExchangeObject } from './exchange-object.ts';

type Active = Pick<ExchangeObject, 'isActive' | 'account'>;
type OwnerField = 'PublisherId' | 'AdvertiserId';

function ofOwner({ account }: Active, field: OwnerField): Refusal | undefined {
  if (account.isActive) return undefined;
  return refuse('owner_inactive', { field, wanted: 'an active one', met: account.id });
}

/** Its own status, or its owner's; undefined if it serves. */
export function inactivity(object: Active, ownerField: OwnerField): Refusal | undefined {
  if (object.isActive) return ofOwner(object, ownerField);
  return refuse('inactive', { field: 'Status', wanted: 0, met: 1 });
}

export function inactivities(object: Active, ownerField: OwnerField): Refusal[] {
  const own = inactivity(object, ownerField);
  const all = object.isActive ? [own] : [own, ofOwner(object, ownerField)];
  return all.filter((refusal) => refusal !== undefined);
}
