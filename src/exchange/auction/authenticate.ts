import type { SupplyKind } from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import { credentialHash } from '../credential-hash.ts';
import { type Refusal, refuse } from '../reasons.ts';
import { inactivity } from '../snapshot/inactivity.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Supply } from '../snapshot/supply.ts';

export interface Credentials {
  readonly kind: SupplyKind;
  /** `zone` or `feed` as received. */
  readonly id: string;
  readonly auth: string;
  /** The field with the secret; absent = `Auth`. */
  readonly field?: 'AuthDirectUrl';
}

/** None of our credentials is longer, so longer ones are not hashed. */
const authCharactersMax = 256;

const hashOf = ({ auth, settings }: Supply, field: Credentials['field']): string =>
  field === undefined ? auth : (settings[field] ?? '');

/** Whether the credential was replaced but still works. */
const isFormer = (given: string, { formerSecrets }: Supply, field: string, nowMs: number): boolean =>
  (ownMember(formerSecrets, field) ?? []).some(({ Value, UntilMs }) => given === Value && nowMs < UntilMs);

const idPattern = /^[1-9]\d{0,9}$/;
const metCharactersMax = 20;

/** Hashes reveal nothing by how far they agree, so they are compared as plain texts (reference, A8). */
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

/** Active supply object of a request. A wrong `auth` is `unknown_supply` too, so that nobody learns which IDs exist. */
export function authenticate(snapshot: Snapshot, credentials: Credentials, nowMs: number): Supply | Refusal {
  const { kind, id, auth, field } = credentials;
  const supply = idPattern.test(id) ? snapshot.supply(kind, Number(id)) : undefined;
  const isRight = isRightAuth(auth, supply, field, nowMs);
  if (!supply || !isRight)
    return refuse('unknown_supply', { field: 'Id', met: id.slice(0, metCharactersMax) });
  return inactivity(supply, 'PublisherId') ?? supply;
}
