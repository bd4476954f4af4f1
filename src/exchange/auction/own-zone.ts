import { zoneQuery } from '../reading/query.ts';
import type { Supply } from '../snapshot/supply.ts';
import { isRightAuth } from './authenticate.ts';

/** What a URL with a secret contains, even if encoded; many URLs do not. */
const mayHold = /auth|%/i;
/** How deep a URL may be encoded within another, and how many queries are searched. */
const [encodingsMax, queriesMax] = [3, 16];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function asks(supply: Supply, query: string, nowMs: number): boolean {
  const { text } = zoneQuery(`?${query}`);
  const id = text('zone') || text('feed');
  return id === String(supply.id) && isRightAuth(text('auth'), supply, undefined, nowMs);
}

/** Whether a URL, or one nested in it, is the supply object's with its `auth`. Any host may lead to us. */
export function leadsToOwnZone(supply: Supply, url: string, nowMs: number): boolean {
  let text = url;
  for (let depth = 0; depth <= encodingsMax && mayHold.test(text); depth += 1) {
    const [, ...queries] = text.split(/[?#]/, queriesMax + 1);
    if (queries.some((query) => asks(supply, query, nowMs))) return true;
    const next = decoded(text);
    if (next === text) return false;
    text = next;
  }
  return false;
}
