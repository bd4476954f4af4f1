import { createIdentity } from '../../src/identity/identity.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import type { PartnerOf } from '../../src/store/identity/interface.ts';
import type { TestServer } from '../support/server.ts';

/** A user that a test has added. */
export interface AddedUser {
  readonly id: number;
  readonly mail: string;
  readonly teamId: number;
  readonly token: string;
  readonly firstName: string;
}

let users = 0;

/** Adds users to a server's database, as the command line does beside it; without `teamId`, to a team of their own. */
export async function addUsers(
  { databaseUrl }: Pick<TestServer, 'databaseUrl'>,
  wanted: readonly { readonly role: number; readonly teamId?: number; readonly partner?: PartnerOf }[],
): Promise<readonly AddedUser[]> {
  const store = await openConfiguredStore(databaseUrl);
  const identity = createIdentity({ store, now: Date.now });
  const added: AddedUser[] = [];
  for (const { role, teamId: given, partner } of wanted) {
    users += 1;
    const mail = `someone-${users}@example.com`;
    const teamId = given ?? (await identity.addTeam({ name: `Team of ${mail}` }));
    const firstName = `Someone${users}`;
    const id = await identity.addUser({
      teamId,
      mail,
      password: 'long enough',
      firstName,
      role: partner ? 2 : role,
    });
    if (partner) await store.identity.updateUser(id, { role, partner });
    const { accessToken: token } = await identity.issueToken(mail);
    added.push({ id, mail, teamId, token, firstName });
  }
  await store.close();
  return added;
}

/** Adds one user; see `addUsers`. */
export async function addUser(
  server: Pick<TestServer, 'databaseUrl'>,
  wanted: Parameters<typeof addUsers>[1][number],
): Promise<AddedUser> {
  const [user] = await addUsers(server, [wanted]);
  if (!user) throw new Error('no user was added');
  return user;
}
