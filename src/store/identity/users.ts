import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { hasUsers } from './identity-reads.ts';
import type { AccessEnd, SecondFactor, Team, User, UserValues } from './interface.ts';
import { type PeopleContext, recordPeople, recordWritten } from './record-people.ts';
import { userOf } from './rows.ts';
import { endAccess } from './tokens.ts';

/** In the history. */
const shownNames = { firstName: 'FirstName', lastName: 'LastName', role: 'Role', status: 'Status' } as const;

type Changeable = keyof typeof shownNames | 'partner';
const changeable: readonly Changeable[] = ['firstName', 'lastName', 'role', 'status', 'partner'];

/** As the history shows them: a partner's account by its field. */
function shownOf(
  { partner, ...user }: UserValues,
  names: readonly Changeable[],
): Readonly<Record<string, unknown>> {
  const rows = names.flatMap((name): (readonly [string, unknown])[] => {
    if (name !== 'partner') return [[shownNames[name], user[name]]];
    return partner ? [[`${partner.kind}Id`, partner.id]] : [];
  });
  return Object.fromEntries(rows);
}

/** Undefined if the mail address is taken. */
export async function addUser(context: PeopleContext, user: Omit<User, 'id'>): Promise<number | undefined> {
  const { teamId, mail, firstName, lastName, role, status, partner } = user;
  const row = await context.connection
    .insertInto('user')
    .values({
      team_id: teamId,
      mail_key: mail.toLowerCase(),
      mail,
      first_name: firstName,
      last_name: lastName,
      role,
      partner_kind: partner?.kind ?? null,
      partner_id: partner?.id ?? null,
      status,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) => conflict.column('mail_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return undefined;
  const after = { Mail: mail, ...shownOf(user, changeable) };
  await recordPeople(context, row.id, {
    kind: 'User',
    id: row.id,
    operation: 'add',
    before: null,
    after,
  });
  return row.id;
}

export async function addTeam(
  connection: Kysely<Schema>,
  { zipCode, ...rest }: Omit<Team, 'id'>,
): Promise<number> {
  const values = { ...rest, zip_code: zipCode };
  const row = await connection.insertInto('team').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** False if there is one already. */
export async function addFirstUser(
  context: PeopleContext,
  team: Omit<Team, 'id'>,
  user: Omit<User, 'id' | 'teamId'>,
): Promise<boolean> {
  const { connection } = context;
  if (await hasUsers(connection)) return false;
  const first = await connection.selectFrom('team').select('id').orderBy('id').limit(1).executeTakeFirst();
  const teamId = first?.id ?? (await addTeam(connection, team));
  return (await addUser(context, { ...user, teamId })) !== undefined;
}

const administrator = 0;
const active = 0;

function operationOf({ status }: UserValues): 'update' | 'activate' | 'deactivate' {
  if (status === undefined) return 'update';
  return status === active ? 'activate' : 'deactivate';
}

async function isLastAdministrator({ connection }: PeopleContext, user: User): Promise<boolean> {
  if (user.role !== administrator || user.status !== active) return false;
  const others = connection.selectFrom('user').select('id').where('team_id', '=', user.teamId);
  const administrators = others.where('role', '=', administrator).where('status', '=', active);
  return (await administrators.where('id', '!=', user.id).executeTakeFirst()) === undefined;
}

/** Undefined, with nothing changed, if the team would have no administrator. */
export async function updateUser(
  context: PeopleContext,
  id: number,
  values: UserValues,
): Promise<User | undefined> {
  const { connection } = context;
  const row = await connection.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const user = userOf(row);
  const next = { ...user, ...values };
  const changed = changeable.filter((name) => !isDeepStrictEqual(next[name], user[name]));
  if (changed.length === 0) return user;
  const stays = next.role === administrator && next.status === active;
  if (!stays && (await isLastAdministrator(context, user))) return undefined;
  const columns = {
    first_name: next.firstName,
    last_name: next.lastName,
    role: next.role,
    status: next.status,
    partner_kind: next.partner?.kind ?? null,
    partner_id: next.partner?.id ?? null,
  };
  await connection.updateTable('user').set(columns).where('id', '=', id).execute();
  await recordPeople(context, id, {
    kind: 'User',
    id,
    operation: operationOf(values),
    before: shownOf(user, changed),
    after: shownOf(next, changed),
  });
  return next;
}

export async function setPassword(
  context: PeopleContext,
  userId: number,
  passwordHash: string,
  end: AccessEnd,
): Promise<number> {
  await context.connection
    .updateTable('user')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
  await recordWritten(context, userId, 'Password');
  return endAccess(context, userId, end);
}

/** The log only says whether there is one. */
export async function setSecondFactor(
  context: PeopleContext,
  id: number,
  change: (current: SecondFactor | undefined) => SecondFactor | undefined,
): Promise<SecondFactor | undefined> {
  const { connection } = context;
  const row = await connection.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { secondFactor: current } = userOf(row);
  const next = change(current);
  const second_factor = next === undefined ? null : JSON.stringify(next);
  await connection.updateTable('user').set({ second_factor }).where('id', '=', id).execute();
  const [was, is] = [current, next].map((factor) => (factor?.isConfirmed ? 1 : 0));
  if (was === is) return next;
  const values = { before: { SecondFactor: was }, after: { SecondFactor: is } };
  await recordPeople(context, id, { kind: 'User', id, operation: 'update', ...values });
  return next;
}
