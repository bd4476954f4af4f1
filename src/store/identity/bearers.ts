import { setImmediate as turn } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { Database } from '../database/database.ts';
import type { Schema, TokenTable, UserTable } from '../database/schema.ts';
import { type Bearer, edgeBearer, type IdentityStore, type TokenKind } from './interface.ts';
import { partnerIn } from './rows.ts';

type OfUser = Pick<Selectable<UserTable>, 'team_id' | 'role' | 'partner_kind' | 'partner_id'>;
type Row = Selectable<TokenTable> & OfUser & { revision: number | null };

interface CachedBearer {
  readonly bearer: Bearer;
  readonly expiresAtMs: number;
}

const cachedMax = 10_000;

function kindOf({ label, ends_at: endsAt }: Row): TokenKind {
  if (label !== null) return 'key';
  return endsAt === null ? 'access' : 'console';
}

/** Compiled once: it runs for every request. */
function compileLookUp(reader: Kysely<Schema>): (hash: string) => Promise<CachedBearer | undefined> {
  const { sql: text } = reader
    .selectFrom('token as t')
    .innerJoin('user as u', 'u.id', 't.user_id')
    .select(['t.id', 't.label', 't.expires_at', 't.ends_at', 'u.id as user_id', 'u.team_id', 'u.role'])
    .select(['u.partner_kind', 'u.partner_id'])
    .select((of) =>
      of
        .selectFrom('change')
        .select(({ fn }) => fn.max('change.revision').as('revision'))
        .as('revision'),
    )
    .where('t.hash', '=', '')
    .where('u.status', '=', sql.lit(0))
    .compile();
  const edgeOf = async (hash: string): Promise<CachedBearer | undefined> => {
    const query = reader.selectFrom('edge_key').select('id').where('hash', '=', hash);
    const row = await query.executeTakeFirst();
    return row && { bearer: edgeBearer(row.id), expiresAtMs: Number.POSITIVE_INFINITY };
  };
  return async (hash) => {
    const { rows } = await reader.executeQuery<Row>(CompiledQuery.raw(text, [hash]));
    const row = rows[0];
    if (!row) return edgeOf(hash);
    const { id: tokenId, user_id: userId, team_id: teamId, role, revision } = row;
    return {
      bearer: {
        tokenId,
        userId,
        teamId,
        role,
        ...partnerIn(row),
        kind: kindOf(row),
        revision: revision ?? 0,
      },
      expiresAtMs: row.expires_at === null ? Number.POSITIVE_INFINITY : Number(row.expires_at),
    };
  };
}

/** Once per version of the database, if that is known without a query. */
function createCached(version: () => number, lookUp: (hash: string) => Promise<CachedBearer | undefined>) {
  const cached = createRecentCache<string, { readonly at: number; readonly read: CachedBearer }>(cachedMax);
  return async (hash: string): Promise<CachedBearer | undefined> => {
    const at = version();
    const found = cached.get(hash);
    if (found?.at === at) return found.read;
    const read = await lookUp(hash);
    // A commit meanwhile may have outdated the answer.
    if (read && version() === at) cached.set(hash, { at, read });
    return read;
  };
}

type LookUp = (hash: string) => Promise<CachedBearer | undefined>;

/** Shares a look-up that begins after all callers of a tick asked, so that it sees what was committed before. */
function createShared(lookUp: LookUp): LookUp {
  const underWay = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<CachedBearer | undefined>>();
  const begin = async (hash: string) => {
    await underWay.get(hash);
    await turn();
    next.delete(hash);
    const reading = lookUp(hash);
    const ended = reading.then(
      () => underWay.delete(hash),
      () => underWay.delete(hash),
    );
    underWay.set(hash, ended);
    return reading;
  };
  return (hash) => {
    const asked = next.get(hash) ?? begin(hash);
    next.set(hash, asked);
    return asked;
  };
}

export function createBearers({
  reader,
  version,
}: Pick<Database, 'reader' | 'version'>): IdentityStore['bearer'] {
  const lookUp = compileLookUp(reader);
  const read = version === undefined ? createShared(lookUp) : createCached(version, lookUp);
  return async (hash, nowMs) => {
    const found = await read(hash);
    return found && found.expiresAtMs > nowMs ? found.bearer : undefined;
  };
}
