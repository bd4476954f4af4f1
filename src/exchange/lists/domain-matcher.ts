import { withoutWww } from '../reading/site-host.ts';
import type { TextMatcher } from './app-matcher.ts';
import { readLines } from './line-reader.ts';
import { byteText, createTextTable, hashOn, hashStart, type TextTable } from './text-table.ts';

const dot = 46;

/** Whether the domain or one of its parents is in the table: every end that begins after a dot, in one pass. */
function holdsDomain(table: TextTable, domain: string): boolean {
  let hash = hashStart;
  for (let at = domain.length - 1; at >= 0; at -= 1) {
    hash = hashOn(hash, domain.charCodeAt(at));
    const isLabelStart = at === 0 || domain.charCodeAt(at - 1) === dot;
    if (isLabelStart && table.find(domain, at, hash) !== -1) return true;
  }
  return false;
}

/**
 * Compiles a Domain List; its entries match themselves and their subdomains. As an opportunity's domain comes without
 * a leading `www.`, an entry loses it too.
 */
export async function compileDomains(parts: AsyncIterable<string>): Promise<TextMatcher> {
  const table = createTextTable();
  await readLines(parts, (line) => table.add(byteText(withoutWww(line))));
  table.trim();
  return { size: table.size, has: (domain) => holdsDomain(table, domain) };
}
