export function byKind<K extends string, V>(
  names: readonly K[],
  make: (kind: K) => V,
): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((kind) => [kind, make(kind)])) as Record<K, V>;
}
