import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import { formats, isStorableText } from '../fields/formats.ts';
import type { AccessEnd, Bearer, Team, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { newPasswordFaults } from './new-password.ts';
import { hashPassword } from './passwords.ts';
import { administrator, analyst } from './roles.ts';

/** Members in the order of `/api/auth/account`. */
export interface Account {
  readonly Id: number;
  readonly TeamId: number;
  readonly Mail: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Role: number;
  readonly Status: number;
  readonly StatusString: string;
  readonly Team: {
    readonly Id: number;
    readonly Name: string;
    readonly Country: string;
    readonly City: string;
    readonly ZipCode: string;
    readonly Address: string;
    readonly Phone: string;
  };
}

export interface NewUser {
  readonly teamId: number;
  readonly mail: string;
  /** Accepted by `newPasswordFaults`. */
  readonly password: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** 0 administrator, 1 manager, 2 analyst. */
  readonly role: number;
}

/** With a generated password, to be shown once. */
export interface FirstAdministrator {
  readonly mail: string;
  readonly generatedPassword: string | undefined;
}

/** Refusals with `invalid` name the wrong value and what it should be. */
export interface People {
  account(bearer: Pick<Bearer, 'userId' | 'teamId'>): Promise<Account>;
  addTeam(team: { name: string }): Promise<number>;
  /** Active; returns the ID. */
  addUser(user: NewUser): Promise<number>;
  /** Ends sessions under the old password, and API keys if asked. Returns how many API keys were revoked. */
  setPassword(mail: string, password: string, end?: AccessEnd): Promise<number>;
  /** For the command line, if the last administrator has lost it. */
  dropSecondFactor(mail: string): Promise<void>;
  /** Without users, adds team 1 and its administrator (reference, A7), by default with a random password. */
  ensureAdministrator(given: { mail?: string; password?: string }): Promise<FirstAdministrator | undefined>;
}

const textCharactersMax = 1024;
const mailCharactersMax = 320;

function textFaults(Path: string, value: string, charactersMax = textCharactersMax): Fault[] {
  if (value.length > charactersMax) {
    return [{ Path, Code: 'too_long', Message: `must be at most ${charactersMax} characters long` }];
  }
  return isStorableText(value)
    ? []
    : [{ Path, Code: 'encoding', Message: 'contains characters that cannot be stored' }];
}

function mailFaults(mail: string): Fault[] {
  if (formats.mail.test(mail)) return textFaults('Mail', mail, mailCharactersMax);
  return [{ Path: 'Mail', Code: 'format', Message: `${formats.mail.wants}; it is "${mail}"` }];
}

function roleFaults(role: number): Fault[] {
  if (Number.isInteger(role) && role >= administrator && role <= analyst) return [];
  return [
    {
      Path: 'Role',
      Code: 'out_of_range',
      Message: 'must be 0 (administrator), 1 (manager) or 2 (analyst); partners are invited in the console',
    },
  ];
}

function nameFaults(name: string): Fault[] {
  return name.trim() === ''
    ? [{ Path: 'Name', Code: 'required', Message: 'must not be empty' }]
    : textFaults('Name', name);
}

async function userFaults({
  mail,
  password,
  firstName = '',
  lastName = '',
  role,
}: NewUser): Promise<Fault[]> {
  return [
    ...mailFaults(mail),
    ...(await newPasswordFaults('Password', password, mail)),
    ...textFaults('FirstName', firstName),
    ...textFaults('LastName', lastName),
    ...roleFaults(role),
  ];
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

function accountOf(user: User, team: Team): Account {
  return {
    Id: user.id,
    TeamId: user.teamId,
    Mail: user.mail,
    FirstName: user.firstName,
    LastName: user.lastName,
    Role: user.role,
    Status: user.status,
    StatusString: user.status === 0 ? 'Active' : 'Inactive',
    Team: {
      Id: team.id,
      Name: team.name,
      Country: team.country,
      City: team.city,
      ZipCode: team.zipCode,
      Address: team.address,
      Phone: team.phone,
    },
  };
}

function bareTeam(name: string): Omit<Team, 'id'> {
  return { name, country: '', city: '', zipCode: '', address: '', phone: '' };
}

async function addUser({ store }: IdentityContext, user: NewUser): Promise<number | undefined> {
  const { teamId, mail, password, firstName = '', lastName = '', role } = user;
  const passwordHash = await hashPassword(password);
  return store.addUser({ teamId, mail, firstName, lastName, role, status: 0, passwordHash });
}

/** False if another process was first. */
async function addFirst({ store }: IdentityContext, mail: string, password: string): Promise<boolean> {
  const names = { firstName: 'Admin', lastName: '' };
  const user = { mail, ...names, role: administrator, status: 0, passwordHash: await hashPassword(password) };
  return store.addFirstUser(bareTeam('Team 1'), user);
}

export function createPeople(context: IdentityContext): People {
  const { store, random, knownPlaces } = context;
  const userOf = async (mail: string): Promise<User> => {
    const user = await store.userByMail(mail);
    if (user) return user;
    throw invalid([
      { Path: 'Mail', Code: 'not_found', Message: `${mail} is not the mail address of a user` },
    ]);
  };
  return {
    async account({ userId, teamId }) {
      const [user, team] = await Promise.all([store.user(userId), store.team(teamId)]);
      if (!user || !team) throw new Refusal('unauthorized', 'The user of the access token no longer exists');
      return accountOf(user, team);
    },
    async addTeam({ name }) {
      refuseFaults(nameFaults(name));
      return await store.addTeam(bareTeam(name.trim()));
    },
    async addUser(user) {
      refuseFaults(await userFaults(user));
      if (!(await store.team(user.teamId))) {
        const Message = `${user.teamId} is not found; add one with \`bourse team add\``;
        throw invalid([{ Path: 'Team', Code: 'not_found', Message }]);
      }
      const id = await addUser(context, user);
      if (id !== undefined) return id;
      throw invalid([
        { Path: 'Mail', Code: 'taken', Message: `${user.mail} is already used by another user` },
      ]);
    },
    async setPassword(mail, password, end = { revokesKeys: false }) {
      refuseFaults(await newPasswordFaults('Password', password, mail));
      const { id } = await userOf(mail);
      return await store.setPassword(id, await hashPassword(password), end);
    },
    async dropSecondFactor(mail) {
      const { id } = await userOf(mail);
      await store.setSecondFactor(id, () => undefined);
    },
    async ensureAdministrator({ mail = 'admin@localhost', password }) {
      if (!(await store.isEmpty())) {
        await knownPlaces.prepare();
        return undefined;
      }
      const generatedPassword = password === undefined ? random(12).toString('base64url') : undefined;
      const chosen = password ?? generatedPassword ?? '';
      refuseFaults([...mailFaults(mail), ...(await newPasswordFaults('Password', chosen, mail))]);
      const isAdded = await addFirst(context, mail, chosen);
      await knownPlaces.prepare();
      return isAdded ? { mail, generatedPassword } : undefined;
    },
  };
}
