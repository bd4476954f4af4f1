/** For names from outside: `record[name]` would find `constructor` and the like. */
export function ownMember<V>(
  record: Readonly<Record<string, V>> | null | undefined,
  name: string,
): V | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** For names from outside: an assignment would lose `__proto__`. */
export function setOwnMember<V>(record: Record<string, V>, name: string, value: NoInfer<V>): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });
  } else record[name] = value;
}
