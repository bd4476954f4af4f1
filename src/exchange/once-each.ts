/**
 * A function whose value is worked out once for each object, and kept as long as that lives. Not for objects of one
 * auction: weak tables of what soon dies keep the garbage collector busy.
 */
export function onceEach<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
