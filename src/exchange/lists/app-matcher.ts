import { readLines } from './line-reader.ts';
import { byteText, createTextTable, hashOf } from './text-table.ts';

/** A compiled list of texts. */
export interface TextMatcher {
  /** How many entries it holds. */
  readonly size: number;
  has(text: string): boolean;
}

/** Compiles an App List: bundles match letter for letter. */
export async function compileApps(parts: AsyncIterable<string>): Promise<TextMatcher> {
  const table = createTextTable();
  await readLines(parts, (line) => table.add(byteText(line)));
  table.trim();
  return { size: table.size, has: (bundle) => table.find(bundle, 0, hashOf(bundle)) !== -1 };
}
