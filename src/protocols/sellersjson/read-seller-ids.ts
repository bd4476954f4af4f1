import { isObject, parseJson } from '../json.ts';
import { createTextSet, type TextSet } from '../text-set.ts';

/** IAB Tech Lab, sellers.json 1.0; numbers too. Skips other entries. Undefined if it is no such file. */
export function readSellerIds(text: string): TextSet | undefined {
  const file = parseJson(text);
  if (!isObject(file) || !Array.isArray(file.sellers)) return undefined;
  const ids = new Set<string>();
  for (const seller of file.sellers) {
    const id: unknown = seller?.seller_id;
    if (typeof id === 'string' || typeof id === 'number') ids.add(String(id).trim());
  }
  return createTextSet(ids);
}
