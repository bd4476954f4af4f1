/** What a publisher's fields say of it as a seller. */
interface SellerFields {
  readonly sellerId: string;
  readonly name: string;
  readonly sellersJsonDomain: string;
  readonly platformDomain: string;
  /** Code of `SellerType`. */
  readonly sellerType: number;
}

/** By the code of `SellerType`; 0, not set, is a publisher. */
const types = ['PUBLISHER', 'PUBLISHER', 'INTERMEDIARY', 'BOTH'] as const;

/** For sellers.json; `domain` is `""` if it is unknown, so that the seller is confidential. */
export function sellerOf({ sellerId, name, sellersJsonDomain, platformDomain, sellerType }: SellerFields) {
  const domain = sellersJsonDomain || platformDomain;
  return { id: sellerId, name, domain, type: types[sellerType] ?? 'PUBLISHER' };
}
