/** One seller of a sellers.json file. */
export interface Seller {
  readonly id: string;
  readonly name: string;
  /** `""` = not known. */
  readonly domain: string;
  readonly type: 'PUBLISHER' | 'INTERMEDIARY' | 'BOTH';
}

/** A seller without a domain is allowed only as a confidential one. */
function entryOf({ id, name, domain, type }: Seller) {
  return {
    seller_id: id,
    ...(domain === '' ? { is_confidential: 1 } : {}),
    name,
    ...(domain === '' ? {} : { domain }),
    seller_type: type,
  };
}

/** A sellers.json file (IAB Tech Lab, sellers.json 1.0). */
export function buildSellersJson(sellers: readonly Seller[]): string {
  return JSON.stringify({ version: '1.0', sellers: sellers.map(entryOf) });
}
