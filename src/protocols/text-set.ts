/** A set of texts in one string: a fraction of a `Set`'s memory, for many that are held and seldom asked. */
export interface TextSet {
  has(text: string): boolean;
  /** Of the memory that it takes. */
  readonly characters: number;
}

/** Drops empty texts, and those of several lines. */
export function createTextSet(texts: Iterable<string>): TextSet {
  const isLine = (text: string) => text !== '' && !text.includes('\n');
  const sorted = [...new Set(texts)].filter(isLine).sort();
  const lines = sorted.map((text) => `${text}\n`).join('');
  return {
    has(text) {
      for (let low = 0, high = lines.length; low < high; ) {
        const middle = (low + high) >>> 1;
        const start = middle === low ? low : lines.lastIndexOf('\n', middle - 1) + 1;
        const end = lines.indexOf('\n', middle);
        const line = lines.slice(start, end);
        if (line === text) return true;
        if (line < text) low = end + 1;
        else high = start;
      }
      return false;
    },
    characters: lines.length,
  };
}
