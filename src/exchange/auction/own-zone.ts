import { zoneQuery } from '../reading/query.ts';
import type { Supply } from '../snapshot/supply.ts';
import { isRightAuth } from './authenticate.ts';

/** What a URL must have to hold a secret, be it encoded; many do not. */
const mayHold = /auth|%/i;
/** How often a URL may be encoded within another one, and how many queries are looked at. */
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

/**
 * Whether a URL, or one in its parameters (as redirects have), is that of the supply object, with its `auth`. The host
 * is not looked at: the object may be asked by any name that leads here.
 */
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
