import { timingSafeEqual } from 'node:crypto';
import type { SupplyKind } from '../../entities/kinds.ts';
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
 * Whether two secrets are the same and not empty. The time that this takes depends only on the given one: it does not
 * tell where they differ, nor whether there is another (decisions A8).
 */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  const isAsLong = a.length === b.length;
  return timingSafeEqual(a, isAsLong ? b : a) && isAsLong && a.length > 0;
}

const secretOf = ({ auth, settings }: Supply, field: Credentials['field']): string =>
  field === undefined ? auth : (settings[field] ?? '');

/** Whether a secret was replaced, and still works. */
const isFormer = (given: string, { formerSecrets }: Supply, field: string, nowMs: number): boolean =>
  (formerSecrets?.[field] ?? []).some(({ Value, UntilMs }) => isSame(given, Value) && nowMs < UntilMs);

const idPattern = /^[1-9]\d{0,9}$/;
const metCharactersMax = 20;

/** Whether `auth` is the secret of a supply object, or a former one that still works; for no object it never is. */
export function isRightAuth(
  auth: string,
  supply: Supply | undefined,
  field: Credentials['field'],
  nowMs: number,
): boolean {
  const isRight = isSame(auth, supply ? secretOf(supply, field) : '');
  return isRight || (supply !== undefined && isFormer(auth, supply, field ?? 'Auth', nowMs));
}

/**
 * The supply object that a request speaks for, or why there is none: inactive, its owner inactive, or `unknown_supply`.
 * That is also the answer to a wrong `auth`, so that nobody learns which objects exist.
 */
export function authenticate(snapshot: Snapshot, credentials: Credentials, nowMs: number): Supply | Refusal {
  const { kind, id, auth, field } = credentials;
  const supply = idPattern.test(id) ? snapshot.supply(kind, Number(id)) : undefined;
  const isKnown = isRightAuth(auth, supply, field, nowMs);
  if (!supply || !isKnown)
    return refuse('unknown_supply', { field: 'Id', met: id.slice(0, metCharactersMax) });
  return inactivity(supply, 'PublisherId') ?? supply;
}
