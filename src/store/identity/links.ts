import type { Link, LinkKind } from './interface.ts';
import { type PeopleContext, recordWritten } from './record-people.ts';
import { linkOf } from './rows.ts';

/** Forgets expired links; see `IdentityStore.addLink`. The log mentions one that sets a password. */
export async function addLink(context: PeopleContext, link: Link): Promise<void> {
  const { connection, author } = context;
  const { kind, hash, userId, expiresAtMs, tokenId = null, path = null } = link;
  const earlier = connection.deleteFrom('link').where('user_id', '=', userId).where('kind', '=', kind);
  const replaced = kind === 'password' ? earlier : earlier.where('expires_at', '<=', author.now());
  await replaced.execute();
  if (kind === 'password') await recordWritten(context, userId, 'PasswordLink');
  const row = { hash, kind, user_id: userId, expires_at: expiresAtMs, token_id: tokenId, path };
  await connection.insertInto('link').values(row).execute();
}

/** See `IdentityStore.takeLink`. */
export async function takeLink(
  { connection }: PeopleContext,
  { kind, hash, nowMs }: { kind: LinkKind; hash: string; nowMs: number },
): Promise<Link | undefined> {
  const links = connection.deleteFrom('link').where('hash', '=', hash).where('kind', '=', kind);
  const row = await links.where('expires_at', '>', nowMs).returningAll().executeTakeFirst();
  return row && linkOf(row);
}
