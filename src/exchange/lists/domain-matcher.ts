import { withoutWww } from '../reading/site-host.ts';
import type { TextMatcher } from './app-matcher.ts';
import { readLines } from './line-reader.ts';
import { byteText, createTextTable, hashOn, hashStart, type TextTable } from './text-table.ts';

const dot = 46;

/** A domain's ends that begin a label (`a.b.com`: `com`, `b.com`, all), with their hashes. */
interface Ends {
  readonly starts: readonly number[];
  readonly hashes: readonly number[];
}

function endsOf(domain: string): Ends {
  const starts: number[] = [];
  const hashes: number[] = [];
  let hash = hashStart;
  for (let at = domain.length - 1; at >= 0; at -= 1) {
    hash = hashOn(hash, domain.charCodeAt(at));
    if (at > 0 && domain.charCodeAt(at - 1) !== dot) continue;
    starts.push(at);
    hashes.push(hash);
  }
  return { starts, hashes };
}

/** The last domain asked for: an opportunity asks many lists for the same one, and all tables hash alike. */
let last = { domain: '', ends: endsOf('') };

/** Whether the domain or one of its parents is in the table. */
function holdsDomain(table: TextTable, domain: string): boolean {
  if (last.domain !== domain) last = { domain, ends: endsOf(domain) };
  const { starts, hashes } = last.ends;
  for (let end = 0; end < starts.length; end += 1) {
    if (table.find(domain, starts[end] as number, hashes[end] as number) !== -1) return true;
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
