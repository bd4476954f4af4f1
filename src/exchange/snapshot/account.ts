import type { AccountObject, ConfigurationObject } from '../configuration.ts';
import type { Account } from './exchange-object.ts';

/** A publisher's effective `SellerId`: its ID where the field is blank. */
export function sellerIdOf({ id, settings }: Pick<AccountObject, 'id' | 'settings'>): string {
  return settings.SellerId || String(id);
}

/** A publisher or an advertiser, compiled. */
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
  };
}

/** Whether two states of an account are the same to delivery. */
export function isSameAccount(a: Account, b: Account): boolean {
  return (Object.keys(a) as (keyof Account)[]).every((name) => a[name] === b[name]);
}

/**
 * Stands in for the owner of an object that has none, or an unknown one. It is inactive, so the object is not served.
 */
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
  };
}
