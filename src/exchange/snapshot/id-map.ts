const idsPerChunk = 256;

type Chunk<V> = readonly (V | undefined)[];

/** Copies share all unchanged chunks: one change among 100,000 copies some hundred references. */
export interface IdMap<V> {
  get(id: number): V | undefined;
  values(): Iterable<V>;
  /** A copy with these entries added or replaced. */
  with(entries: Iterable<readonly [id: number, value: V]>): IdMap<V>;
}

function chunkOf(id: number): number {
  return Math.floor(id / idsPerChunk);
}

function* valuesOf<V>(chunks: ReadonlyMap<number, Chunk<V>>): Generator<V> {
  for (const number of [...chunks.keys()].sort((a, b) => a - b)) {
    for (const value of chunks.get(number) ?? []) if (value !== undefined) yield value;
  }
}

function changed<V>(
  chunks: ReadonlyMap<number, Chunk<V>>,
  entries: Iterable<readonly [id: number, value: V]>,
): ReadonlyMap<number, Chunk<V>> {
  const copy = new Map(chunks);
  const own = new Map<number, (V | undefined)[]>();
  for (const [id, value] of entries) {
    const number = chunkOf(id);
    let chunk = own.get(number);
    if (!chunk) {
      chunk = chunks.get(number)?.slice() ?? Array<V | undefined>(idsPerChunk).fill(undefined);
      own.set(number, chunk);
      copy.set(number, chunk);
    }
    chunk[id % idsPerChunk] = value;
  }
  return copy;
}

function idMapOf<V>(chunks: ReadonlyMap<number, Chunk<V>>): IdMap<V> {
  return {
    // Safe for any number from a request: what is no ID finds no chunk or no value.
    get: (id) => chunks.get(chunkOf(id))?.[id % idsPerChunk],
    values: () => valuesOf(chunks),
    with: (entries) => idMapOf(changed(chunks, entries)),
  };
}

/** IDs are whole numbers from 0. */
export function emptyIdMap<V>(): IdMap<V> {
  return idMapOf(new Map());
}
