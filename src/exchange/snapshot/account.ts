import type { ConfigurationObject } from '../configuration.ts';
import { numberOf, textOf } from '../stored-values.ts';
import type { Account } from './exchange-object.ts';

/** A publisher's effective `SellerId`: its ID where the field is blank. */
export function sellerIdOf({ id, document }: Pick<ConfigurationObject, 'id' | 'document'>): string {
  return textOf(document, 'SellerId') || String(id);
}

/** A publisher or an advertiser, compiled. */
export function accountOf(object: ConfigurationObject): Account {
  const { id, teamId, status, document } = object;
  return {
    id,
    teamId,
    isActive: status === 0,
    name: textOf(document, 'Name'),
    sellerId: sellerIdOf(object),
    platformDomain: textOf(document, 'PlatformDomain'),
    sellersJsonDomain: textOf(document, 'SellersJsonDomain'),
    sellerType: numberOf(document, 'SellerType'),
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
