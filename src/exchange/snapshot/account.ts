import type { AccountObject, ConfigurationObject } from '../configuration.ts';
import type { Account } from './exchange-object.ts';

/** Its ID if the field is blank. */
export function sellerIdOf({ id, settings }: Pick<AccountObject, 'id' | 'settings'>): string {
  return settings.SellerId || String(id);
}

export function accountOf(object: AccountObject): Account {
  const { id, teamId, status, settings } = object;
  return {
    id,
    teamId,
    isActive: status === 0,
    name: settings.Name,
    sellerId: sellerIdOf(object),
    platformDomain: settings.PlatformDomain ?? '',
    sellersJsonDomain: settings.SellersJsonDomain ?? '',
    sellerType: settings.SellerType ?? 0,
    gvlId: settings.GvlId ?? 0,
  };
}

export function isSameAccount(a: Account, b: Account): boolean {
  return (Object.keys(a) as (keyof Account)[]).every((name) => a[name] === b[name]);
}

/** Replaces a missing or unknown owner. It is inactive, so the object is not served. */
export function unknownAccount({ ownerId = 0, teamId }: ConfigurationObject): Account {
  return {
    id: ownerId,
    teamId,
    isActive: false,
    name: '',
    sellerId: String(ownerId),
    platformDomain: '',
    sellersJsonDomain: '',
    sellerType: 0,
    gvlId: 0,
  };
}
