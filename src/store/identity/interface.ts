import type { AccountKind } from '../../entities/kinds.ts';
import type { TeamSettings } from '../../entities/team-settings.ts';

/** A customer of the installation, kept apart from the others. */
export interface Team {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly city: string;
  readonly zipCode: string;
  readonly address: string;
  readonly phone: string;
}

export interface StoredTeamSettings {
  /** Of their last change; 0 if there was none. */
  readonly revision: number;
  readonly settings: TeamSettings;
}

/** That a partner's user speaks for (reference, A20). */
export interface PartnerOf {
  readonly kind: AccountKind;
  readonly id: number;
}

export interface User {
  readonly id: number;
  readonly teamId: number;
  readonly mail: string;
  readonly firstName: string;
  readonly lastName: string;
  /** A code of `reference/roles.ts` (reference, A5). */
  readonly role: number;
  readonly partner?: PartnerOf | undefined;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** Argon2id PHC string; empty until set by the invitation's link. */
  readonly passwordHash: string;
  readonly secondFactor?: SecondFactor;
}

/** Time-based codes of an app (RFC 6238). */
export interface SecondFactor {
  /** In base32. */
  readonly secret: string;
  /** Whether the user has proved that the app has the secret; before, no code is required. */
  readonly isConfirmed: boolean;
  /** Time step of the last code used: earlier ones no longer count. */
  readonly lastStep: number;
  /** Hex SHA-256 of each unused code. */
  readonly recoveryHashes: readonly string[];
}

export type LinkKind = 'login' | 'password' | 'download';

/** Works once. Only the secret's SHA-256 is stored. */
export interface Link {
  readonly kind: LinkKind;
  /** Hex SHA-256. */
  readonly hash: string;
  readonly userId: number;
  readonly expiresAtMs: number;
  /** Of a download: the requesting token, and the path with its query. */
  readonly tokenId?: number;
  readonly path?: string;
}

/** A session or an access token, as its user sees it. */
export interface OpenSession {
  readonly id: number;
  readonly userId: number;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | undefined;
  readonly client: Client;
}

export type UserValues = Partial<Pick<User, 'firstName' | 'lastName' | 'role' | 'status' | 'partner'>>;

/** Only its SHA-256 is stored (reference, A3). */
export interface Token {
  readonly id: number;
  /** Hex SHA-256. */
  readonly hash: string;
  readonly userId: number;
  /** Of an API key; undefined for a session's token. */
  readonly label: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly lastUsedAtMs: number | undefined;
}

export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

export interface NewToken extends Omit<Token, 'id' | 'lastUsedAtMs'> {
  /** Of a console session: use extends `expiresAtMs` up to this. */
  readonly endsAtMs?: number;
  readonly client?: Client;
}

/** Only the key's SHA-256 is stored. */
export interface EdgeKey {
  readonly id: number;
  /** Hex SHA-256. */
  readonly hash: string;
  readonly label: string;
  readonly createdAtMs: number;
}

/** `console`: a session carried by a cookie. */
export type TokenKind = 'access' | 'key' | 'console' | 'edge';

/** An edge speaks for no user and no team: both IDs are 0. */
export interface Bearer {
  readonly tokenId: number;
  readonly userId: number;
  readonly teamId: number;
  readonly role: number;
  readonly partner?: PartnerOf | undefined;
  readonly kind: TokenKind;
  /** The database's last revision when the token was looked up. */
  readonly revision: number;
}

/** Of keys made on the command line, and of no user. */
export const edgeRole = 4;
/** Edges' keys are counted like tokens, from this ID on. */
const edgeTokenIds = 2 ** 30;

export function edgeBearer(id: number): Bearer {
  return { tokenId: edgeTokenIds + id, userId: 0, teamId: 0, role: edgeRole, kind: 'edge', revision: 0 };
}

/** Sessions except one, and API keys if asked. */
export interface AccessEnd {
  readonly revokesKeys: boolean;
  /** The session that stays. */
  readonly exceptTokenId?: number;
}

export type IdentityWrites = Pick<
  IdentityStore,
  | 'addTeam'
  | 'updateTeam'
  | 'addUser'
  | 'addFirstUser'
  | 'updateUser'
  | 'endAccess'
  | 'setPassword'
  | 'setSecondFactor'
  | 'addLink'
  | 'takeLink'
  | 'addToken'
  | 'addSession'
  | 'endToken'
  | 'endSession'
  | 'replaceToken'
  | 'touchToken'
  | 'removeExpired'
>;

/** Mail addresses are compared without regard to case. */
export interface IdentityStore {
  /** No user yet: a first start (reference, A7). */
  isEmpty(): Promise<boolean>;
  addTeam(team: Omit<Team, 'id'>): Promise<number>;
  team(id: number): Promise<Team | undefined>;
  teamSettings(id: number): Promise<StoredTeamSettings>;
  /** Of teams that have set anything, by ID. */
  allTeamSettings(): Promise<ReadonlyMap<number, TeamSettings>>;
  /** Does nothing if no value would change. Returns the settings. Rejects as `valuesFor` throws. */
  updateTeam(
    id: number,
    valuesFor: (current: StoredTeamSettings) => Partial<TeamSettings>,
  ): Promise<StoredTeamSettings>;
  /** In order of ID. */
  teams(): Promise<Team[]>;
  /** Undefined if the mail address is taken in the installation. */
  addUser(user: Omit<User, 'id'>): Promise<number | undefined>;
  /**
   * Adds `team` too if there is none. False, with nothing added, if there is a user: of several callers one succeeds.
   */
  addFirstUser(team: Omit<Team, 'id'>, user: Omit<User, 'id' | 'teamId'>): Promise<boolean>;
  user(id: number): Promise<User | undefined>;
  userByMail(mail: string): Promise<User | undefined>;
  users(teamId: number): Promise<User[]>;
  /** Undefined, with nothing changed, if the team would have no active administrator. */
  updateUser(id: number, values: UserValues): Promise<User | undefined>;
  /** Links included. Returns how many API keys were revoked. */
  endAccess(userId: number, end: AccessEnd): Promise<number>;
  /** `change` may run more than once; if it throws, nothing changes. */
  setSecondFactor(
    userId: number,
    change: (current: SecondFactor | undefined) => SecondFactor | undefined,
  ): Promise<SecondFactor | undefined>;
  /** A link that sets a password replaces the user's earlier ones. */
  addLink(link: Link): Promise<void>;
  link(kind: LinkKind, hash: string, nowMs: number): Promise<Link | undefined>;
  /** Uses it up: of several calls one gets it. */
  takeLink(kind: LinkKind, hash: string, nowMs: number): Promise<Link | undefined>;
  /** Ends access as given. Returns how many API keys were revoked. */
  setPassword(userId: number, passwordHash: string, end: AccessEnd): Promise<number>;
  /** Returns its ID. */
  addToken(token: NewToken): Promise<number>;
  /**
   * Undefined, with nothing stored, unless the user is active and still has the checked password hash. Stores the
   * network, if any; ten per user.
   */
  addSession(token: NewToken, login: { passwordHash: string; network?: string }): Promise<number | undefined>;
  /** A session began there since `sinceMs`. */
  isKnownNetwork(userId: number, network: string, sinceMs: number): Promise<boolean>;
  /** Unexpired, of an active user. */
  bearer(hash: string, nowMs: number): Promise<Bearer | undefined>;
  tokenHash(id: number): Promise<string | undefined>;
  /** Unexpired, in order of ID; of one user if given. */
  sessions(teamId: number, userId: number | undefined, nowMs: number): Promise<OpenSession[]>;
  /** The history mentions it if it is another user's; true if there was one. */
  endSession(id: number): Promise<boolean>;
  /** True if there was one. */
  endToken(id: number): Promise<boolean>;
  /** In one step; undefined if the old one had ended. */
  replaceToken(id: number, token: NewToken): Promise<number | undefined>;
  /** In order of ID; of one user if given. */
  apiKeys(teamId: number, userId?: number): Promise<Token[]>;
  /** In order of ID. */
  edgeKeys(): Promise<EdgeKey[]>;
  addEdgeKey(key: Omit<EdgeKey, 'id'>): Promise<number>;
  /** True if there was one. */
  endEdgeKey(id: number): Promise<boolean>;
  /** Extends a console session to `expiresAtMs`, at most its end. */
  touchToken(id: number, atMs: number, expiresAtMs: number): Promise<void>;
  /** Returns how many sessions. API keys stay until they are revoked. */
  removeExpired(beforeMs: number): Promise<number>;
}
