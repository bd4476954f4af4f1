/** Both lists as one, each item once; `list` itself if there is nothing to add. */
export function mergeUnique<T>(
  list: readonly T[] | undefined,
  others: readonly T[] | undefined,
): readonly T[] | undefined {
  if (others === undefined || others.length === 0) return list;
  return list === undefined ? others : [...new Set([...list, ...others])];
}
