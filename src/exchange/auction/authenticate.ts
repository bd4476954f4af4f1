import type { SupplyKind } from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import { credentialHash } from '../credential-hash.ts';
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

/** No credential of ours is longer: what is longer is not hashed. */
const authCharactersMax = 256;

const hashOf = ({ auth, settings }: Supply, field: Credentials['field']): string =>
  field === undefined ? auth : (settings[field] ?? '');

/** Whether the credential of that hash was replaced, and still works. */
const isFormer = (given: string, { formerSecrets }: Supply, field: string, nowMs: number): boolean =>
  (ownMember(formerSecrets, field) ?? []).some(({ Value, UntilMs }) => given === Value && nowMs < UntilMs);

const idPattern = /^[1-9]\d{0,9}$/;
const metCharactersMax = 20;

/**
 * Whether `auth` is the credential of a supply object, or a former one that still works; for no object it never is. How
 * far two hashes agree tells nobody a credential, so they are compared as texts (reference, A8).
 */
export function isRightAuth(
  auth: string,
  supply: Supply | undefined,
  field: Credentials['field'],
  nowMs: number,
): boolean {
  const given = credentialHash(auth.length > authCharactersMax ? '' : auth);
  if (!supply || given === '') return false;
  return given === hashOf(supply, field) || isFormer(given, supply, field ?? 'Auth', nowMs);
}

/**
 * The supply object that a request speaks for, or why there is none: inactive, its owner inactive, or `unknown_supply`.
 * That is also the answer to a wrong `auth`, so that nobody learns which objects exist.
 */
export function authenticate(snapshot: Snapshot, credentials: Credentials, nowMs: number): Supply | Refusal {
  const { kind, id, auth, field } = credentials;
  const supply = idPattern.test(id) ? snapshot.supply(kind, Number(id)) : undefined;
  // Hashed whether or not there is such an object.
  const isRight = isRightAuth(auth, supply, field, nowMs);
  if (!supply || !isRight)
    return refuse('unknown_supply', { field: 'Id', met: id.slice(0, metCharactersMax) });
  return inactivity(supply, 'PublisherId') ?? supply;
}
