/** Seller IDs of a sellers.json file (IAB Tech Lab, 1.0), numbers too; undefined if it is no such file. */
export function readSellerIds(text: string): ReadonlySet<string> | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  const sellers = (file as { sellers?: unknown } | null)?.sellers;
  if (!Array.isArray(sellers)) return undefined;
  const ids = new Set<string>();
  for (const seller of sellers) {
    const id: unknown = seller?.seller_id;
    if (typeof id === 'string' || typeof id === 'number') ids.add(String(id).trim());
  }
  return ids;
}
