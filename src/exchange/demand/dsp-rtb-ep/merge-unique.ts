/** Each item once; `list` itself if nothing is added. */
export function mergeUnique<T>(
  list: readonly T[] | undefined,
  others: readonly T[] | undefined,
): readonly T[] | undefined {
  if (others === undefined || others.length === 0) return list;
  return list === undefined ? others : [...new Set([...list, ...others])];
}
