import type { Selectable } from 'kysely';
import type { AccountKind } from '../../entities/kinds.ts';
import type { LinkTable, TeamTable, TokenTable, UserTable } from '../database/schema.ts';
import type { Link, LinkKind, NewToken, OpenSession, SecondFactor, Team, Token, User } from './interface.ts';

export function teamOf(row: Selectable<TeamTable>): Team {
  const { zip_code: zipCode, ...rest } = row;
  return { ...rest, zipCode };
}

export function partnerIn({
  partner_kind: kind,
  partner_id: id,
}: Pick<Selectable<UserTable>, 'partner_kind' | 'partner_id'>): Pick<User, 'partner'> {
  return kind === null || id === null ? {} : { partner: { kind: kind as AccountKind, id } };
}

export function userOf(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    teamId: row.team_id,
    mail: row.mail,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    ...partnerIn(row),
    status: row.status,
    passwordHash: row.password_hash,
    ...(row.second_factor !== null && { secondFactor: JSON.parse(row.second_factor) as SecondFactor }),
  };
}

export function tokenOf(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    hash: row.hash,
    userId: row.user_id,
    label: row.label ?? undefined,
    createdAtMs: Number(row.created_at),
    expiresAtMs: row.expires_at === null ? undefined : Number(row.expires_at),
    lastUsedAtMs: row.last_used_at === null ? undefined : Number(row.last_used_at),
  };
}

export function sessionOf(row: Selectable<TokenTable>): OpenSession {
  const { id, userId, createdAtMs, lastUsedAtMs } = tokenOf(row);
  const client = { address: row.address ?? '', userAgent: row.user_agent ?? '' };
  return { id, userId, createdAtMs, lastUsedAtMs, client };
}

export function tokenRow(token: NewToken) {
  return {
    hash: token.hash,
    user_id: token.userId,
    label: token.label ?? null,
    created_at: token.createdAtMs,
    expires_at: token.expiresAtMs ?? null,
    last_used_at: null,
    ends_at: token.endsAtMs ?? null,
    address: token.client?.address ?? null,
    user_agent: token.client?.userAgent ?? null,
  };
}

export function linkOf(row: Selectable<LinkTable>): Link {
  return {
    kind: row.kind as LinkKind,
    hash: row.hash,
    userId: row.user_id,
    expiresAtMs: Number(row.expires_at),
    ...(row.token_id !== null && { tokenId: row.token_id }),
    ...(row.path !== null && { path: row.path }),
  };
}
