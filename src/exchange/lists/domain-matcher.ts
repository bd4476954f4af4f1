import { hashOn } from '../../shared/hash.ts';
import { withoutWww } from '../reading/site-host.ts';
import type { TextMatcher } from './app-matcher.ts';
import { readLines } from './line-reader.ts';
import {
  byteText,
  createTextTable,
  hashStart,
  type TextMemory,
  type TextTable,
  textTableOn,
} from './text-table.ts';

const dot = 46;

/** The last domain, its parents and their hashes: an opportunity asks many lists, and all hash alike. */
const last = { domain: '', labels: 0, starts: [0], hashes: [0] };

function findEnds(domain: string): void {
  let hash = hashStart;
  let labels = 0;
  for (let at = domain.length - 1; at >= 0; at -= 1) {
    hash = hashOn(hash, domain.charCodeAt(at));
    if (at > 0 && domain.charCodeAt(at - 1) !== dot) continue;
    last.starts[labels] = at;
    last.hashes[labels] = hash;
    labels += 1;
  }
  last.domain = domain;
  last.labels = labels;
}

function holdsDomain(table: TextTable, domain: string): boolean {
  if (last.domain !== domain) findEnds(domain);
  for (let end = 0; end < last.labels; end += 1) {
    if (table.find(domain, last.starts[end] as number, last.hashes[end] as number) !== -1) return true;
  }
  return false;
}

export function domainsOn(memory: TextMemory): TextMatcher {
  const table = textTableOn(memory);
  return { memory, size: table.size, has: (domain) => holdsDomain(table, domain) };
}

/** Entries match themselves and subdomains. They lose a leading `www.`, as an opportunity's domain does. */
export async function compileDomains(parts: AsyncIterable<string>): Promise<TextMatcher> {
  const table = createTextTable();
  await readLines(parts, (line) => table.add(byteText(withoutWww(line))));
  return domainsOn(table.memory());
}
