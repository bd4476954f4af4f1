import type { ConfigurationObject } from '../configuration.ts';
import type { ServedAs } from './object-locations.ts';

export interface UseChange {
  /** Keys of the lists that one of the objects uses or used. */
  readonly touched: Iterable<string>;
  isUsed(key: string): boolean;
  make(): void;
}

/** `keysOf`: keys of the lists that an object names. */
export function createListUses(keysOf: (object: ConfigurationObject) => readonly string[]) {
  const counts = new Map<string, number>();
  return {
    /** Looks at what would change; nothing has changed yet. */
    changeBy(objects: Iterable<ConfigurationObject>, servedAs: ServedAs): UseChange {
      const differences = new Map<string, number>();
      const add = (keys: readonly string[], difference: number) => {
        for (const key of keys) differences.set(key, (differences.get(key) ?? 0) + difference);
      };
      for (const object of objects) {
        const known = servedAs(object);
        if (known) add(keysOf(known), -1);
        add(keysOf(object), 1);
      }
      const countOf = (key: string) => (counts.get(key) ?? 0) + (differences.get(key) ?? 0);
      return {
        touched: differences.keys(),
        isUsed: (key) => countOf(key) > 0,
        make() {
          for (const key of differences.keys()) {
            const count = countOf(key);
            differences.delete(key);
            if (count > 0) counts.set(key, count);
            else counts.delete(key);
          }
        },
      };
    },
  };
}
