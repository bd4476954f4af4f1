import { isObject, parseJson } from '../json.ts';

/** IAB Tech Lab, sellers.json 1.0; numbers too. Undefined if it is no such file. */
export function readSellerIds(text: string): ReadonlySet<string> | undefined {
  const file = parseJson(text);
  if (!isObject(file) || !Array.isArray(file.sellers)) return undefined;
  const ids = new Set<string>();
  for (const seller of file.sellers) {
    const id: unknown = seller?.seller_id;
    if (typeof id === 'string' || typeof id === 'number') ids.add(String(id).trim());
  }
  return ids;
}
