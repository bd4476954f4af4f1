import { readLines } from './line-reader.ts';
import { byteText, createTextTable, hashOf, type TextMemory, textTableOn } from './text-table.ts';

export interface TextMatcher {
  readonly size: number;
  readonly memory: TextMemory;
  has(text: string): boolean;
}

/** On memory that this or another thread has compiled. */
export function appsOn(memory: TextMemory): TextMatcher {
  const table = textTableOn(memory);
  return { memory, size: table.size, has: (bundle) => table.find(bundle, 0, hashOf(bundle)) !== -1 };
}

/** Bundles match letter for letter. */
export async function compileApps(parts: AsyncIterable<string>): Promise<TextMatcher> {
  const table = createTextTable();
  await readLines(parts, (line) => table.add(byteText(line)));
  return appsOn(table.memory());
}
