export interface Seller {
  readonly id: string;
  readonly name: string;
  /** `""` = unknown. */
  readonly domain: string;
  readonly type: 'PUBLISHER' | 'INTERMEDIARY' | 'BOTH';
}

/** Without a domain a seller must be confidential, and is not named. */
function entryOf({ id, name, domain, type }: Seller) {
  const identity = domain === '' ? { is_confidential: 1 } : { name, domain };
  return { seller_id: id, ...identity, seller_type: type };
}

/** IAB Tech Lab, sellers.json 1.0. */
export function buildSellersJson(sellers: readonly Seller[]): string {
  return JSON.stringify({ version: '1.0', sellers: sellers.map(entryOf) });
}
