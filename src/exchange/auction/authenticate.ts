import { timingSafeEqual } from 'node:crypto';
import type { SupplyKind } from '../configuration.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { inactivity } from '../snapshot/inactivity.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Supply } from '../snapshot/supply.ts';

/** How a request names its supply object. */
export interface Credentials {
  readonly kind: SupplyKind;
  /** `zone` or `feed` as it came. */
  readonly id: string;
  readonly auth: string;
  /** The field that holds the secret; absent: `Auth`. */
  readonly field?: 'AuthDirectUrl';
}

/**
 * Whether two secrets are the same and not empty. The time this takes does not tell where they differ (decisions A8).
 */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

const idPattern = /^[1-9]\d{0,9}$/;
const metCharactersMax = 20;

/**
 * The supply object that a request speaks for, or why there is none: unknown, wrong `auth`, inactive, or its owner
 * inactive.
 */
export function authenticate(snapshot: Snapshot, credentials: Credentials): Supply | Refusal {
  const { kind, id, auth, field } = credentials;
  const supply = idPattern.test(id) ? snapshot.supply(kind, Number(id)) : undefined;
  if (!supply) return refuse('unknown_supply', { field: 'Id', met: id.slice(0, metCharactersMax) });
  const wanted = field === undefined ? supply.auth : String(supply.document[field] ?? '');
  if (!isSame(auth, wanted)) return refuse('wrong_auth', { field: field ?? 'Auth' });
  return inactivity(supply, 'PublisherId') ?? supply;
}
