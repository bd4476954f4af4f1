/**
 * IDs of the sellers in a sellers.json file (IAB Tech Lab, sellers.json 1.0); undefined if it is no such file. IDs that
 * are numbers, as some systems write them, are taken as texts.
 */
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
