import type { ConfigurationObject } from '../configuration.ts';
import type { Account } from './exchange-object.ts';

type Stored = Pick<ConfigurationObject, 'document'>;

function textIn({ document }: Stored, field: string): string {
  return String(document[field] ?? '');
}

/** A publisher's effective `SellerId`: its ID where the field is blank. */
export function sellerIdOf(publisher: Pick<ConfigurationObject, 'id' | 'document'>): string {
  return textIn(publisher, 'SellerId') || String(publisher.id);
}

/** A publisher or an advertiser, compiled. */
export function accountOf(object: ConfigurationObject): Account {
  const { id, teamId, status, document } = object;
  return {
    id,
    teamId,
    isActive: status === 0,
    name: textIn(object, 'Name'),
    sellerId: sellerIdOf(object),
    platformDomain: textIn(object, 'PlatformDomain'),
    sellersJsonDomain: textIn(object, 'SellersJsonDomain'),
    sellerType: Number(document.SellerType ?? 0),
  };
}

/** Whether delivery can tell two states of an account apart. */
export function isSameAccount(a: Account, b: Account): boolean {
  return (Object.keys(a) as (keyof Account)[]).every((name) => a[name] === b[name]);
}

/** What stands for the owner of an object that has none, or one that is not known: nothing of it is served. */
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
