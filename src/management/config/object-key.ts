/** Its name or `<name>~n`, by order of ID (reference, C3). */
export function numberedKey(name: string, n: number): string {
  const isPlain = n === 1 && name !== '' && !numbered.test(name);
  return isPlain ? name : `${name}~${n}`;
}

const numbered = /^(.*)~([1-9]\d{0,8})$/s;

/** Undefined if `numberedKey` gives no such key. */
export function readKey(key: string): { readonly name: string; readonly n: number } | undefined {
  const [, name = key, digits = '1'] = numbered.exec(key) ?? [];
  const n = Number(digits);
  return numberedKey(name, n) === key ? { name, n } : undefined;
}

/** To be called with names in order of ID. */
export function createKeys(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    return numberedKey(name, n);
  };
}
