/**
 * A function whose value is worked out once for each object, and kept as long as the object lives. Not for objects that
 * live for one auction: weak maps with short-lived keys keep the garbage collector busy.
 */
export function memoizeWeak<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
