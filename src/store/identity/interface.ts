import type { AccountKind } from '../../entities/kinds.ts';

/** A team: one customer of an installation, kept apart from the others. */
export interface Team {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly city: string;
  readonly zipCode: string;
  readonly address: string;
  readonly phone: string;
}

export interface TeamSettings {
  /** URL of third-party measurement, with its macros (`measurement-macros.ts`); `""` = none. */
  readonly measurementUrl: string;
}

/** The account that a partner's user speaks for (reference, A20). */
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
  /** Of a partner: the account that it speaks for. */
  readonly partner?: PartnerOf | undefined;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** PHC string of the password's argon2id hash; empty until the user has set one by the link of the invitation. */
  readonly passwordHash: string;
  readonly secondFactor?: SecondFactor;
}

/** What a user logs in with beside the password: codes of an app that follow from the time (RFC 6238). */
export interface SecondFactor {
  /** In base32. */
  readonly secret: string;
  /** Whether the user has shown that the app has the secret; before that, it is not asked for. */
  readonly isConfirmed: boolean;
  /** The time step of the last code that was used: earlier ones do not count any more. */
  readonly lastStep: number;
  /** Hex SHA-256 of each code that is left for whoever loses the app. */
  readonly recoveryHashes: readonly string[];
}

/** What a link is for: to log in, to set a password, or to download. */
export type LinkKind = 'login' | 'password' | 'download';

/** A link that works once. Of the secret in it only the SHA-256 hash is kept. */
export interface Link {
  readonly kind: LinkKind;
  /** Hex SHA-256 of the secret. */
  readonly hash: string;
  readonly userId: number;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** Of a download: the token that asked for it, and the path that may be fetched, with its query. */
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

/** An access token or an API key; of the token itself only the SHA-256 hash is kept (reference, A3). */
export interface Token {
  readonly id: number;
  /** Hex SHA-256 of the token. */
  readonly hash: string;
  readonly userId: number;
  /** Label of an API key; undefined on a session's token. */
  readonly label: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Milliseconds since 1970; undefined = does not expire. */
  readonly expiresAtMs: number | undefined;
  readonly lastUsedAtMs: number | undefined;
}

export interface Client {
  readonly address: string;
  /** Header `User-Agent`. */
  readonly userAgent: string;
}

/** A token to be stored, which nobody has used yet. */
export interface NewToken extends Omit<Token, 'id' | 'lastUsedAtMs'> {
  /** Of a session of the console: use moves `expiresAtMs` on, up to this. Milliseconds since 1970. */
  readonly endsAtMs?: number;
  readonly client?: Client;
}

/** A key by which edges follow this installation; of the key itself only the SHA-256 hash is kept. */
export interface EdgeKey {
  readonly id: number;
  /** Hex SHA-256 of the key. */
  readonly hash: string;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
}

/** What a token is: an access token, an API key, a session of the console, which a cookie carries, or an edge's key. */
export type TokenKind = 'access' | 'key' | 'console' | 'edge';

/** Who a token speaks for. An edge speaks for no user and no team: both IDs are 0. */
export interface Bearer {
  readonly tokenId: number;
  readonly userId: number;
  readonly teamId: number;
  readonly role: number;
  /** Of a partner: the account that it speaks for. */
  readonly partner?: PartnerOf | undefined;
  readonly kind: TokenKind;
  /** The database's last revision at the moment when the token was looked up. */
  readonly revision: number;
}

/** The role of edges: of keys that the command line makes, and of no user. */
export const edgeRole = 4;
/** Uses of edges' keys are counted beside those of tokens: below it there is room for all of these. */
const edgeTokenIds = 2 ** 30;

/** The bearer of the edge's key with that ID. */
export function edgeBearer(id: number): Bearer {
  return { tokenId: edgeTokenIds + id, userId: 0, teamId: 0, role: edgeRole, kind: 'edge', revision: 0 };
}

/** What of a user's access ends: the sessions always but for one, the API keys where it is wanted. */
export interface AccessEnd {
  readonly revokesKeys: boolean;
  /** ID of the session that stays. */
  readonly exceptTokenId?: number;
}

/** The methods of `IdentityStore` that write. */
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

/** Teams, users and tokens in the database. Mail addresses are compared without regard to case. */
export interface IdentityStore {
  /** Whether no user exists yet: a first start (reference, A7). */
  isEmpty(): Promise<boolean>;
  addTeam(team: Omit<Team, 'id'>): Promise<number>;
  team(id: number): Promise<Team | undefined>;
  teamSettings(id: number): Promise<TeamSettings>;
  /** What those teams have set that have set anything, by ID. */
  allTeamSettings(): Promise<ReadonlyMap<number, TeamSettings>>;
  /** Changes settings of a team; does nothing where no value would change. Answers them as they are then. */
  updateTeam(id: number, values: Partial<TeamSettings>): Promise<TeamSettings>;
  /** Every team, in order of ID. */
  teams(): Promise<Team[]>;
  /** Adds a user, or answers undefined when the mail address is taken in the installation. */
  addUser(user: Omit<User, 'id'>): Promise<number | undefined>;
  /**
   * Adds the installation's first user to its first team, and adds `team` where there is none. Answers false, and adds
   * nothing, when there is a user already: when several processes try, one succeeds.
   */
  addFirstUser(team: Omit<Team, 'id'>, user: Omit<User, 'id' | 'teamId'>): Promise<boolean>;
  user(id: number): Promise<User | undefined>;
  userByMail(mail: string): Promise<User | undefined>;
  /** The users of a team, in order of ID. */
  users(teamId: number): Promise<User[]>;
  /**
   * Changes a user and answers it as it is then; answers undefined, and changes nothing, where the team would be left
   * without an active administrator.
   */
  updateUser(id: number, values: UserValues): Promise<User | undefined>;
  /** Ends a user's access as told, links included. Answers how many API keys were revoked. */
  endAccess(userId: number, end: AccessEnd): Promise<number>;
  /**
   * Sets what `change` makes of the user's second factor, and answers it. `change` may run more than once; if it
   * throws, nothing changes.
   */
  setSecondFactor(
    userId: number,
    change: (current: SecondFactor | undefined) => SecondFactor | undefined,
  ): Promise<SecondFactor | undefined>;
  /** Keeps a link. One that sets a password takes the place of the user's earlier ones. */
  addLink(link: Link): Promise<void>;
  link(kind: LinkKind, hash: string, nowMs: number): Promise<Link | undefined>;
  /** The same, and it is used up: of several calls, one is answered with it. */
  takeLink(kind: LinkKind, hash: string, nowMs: number): Promise<Link | undefined>;
  /** Sets a new password hash and ends the user's access as told. Answers how many API keys were revoked. */
  setPassword(userId: number, passwordHash: string, end: AccessEnd): Promise<number>;
  /** Stores a token and answers its ID. */
  addToken(token: NewToken): Promise<number>;
  /**
   * Stores the token of a session that begins, if its user is active and still has the password hash that the
   * password was checked against; answers undefined, and stores nothing, where that is no longer so. Keeps the network
   * where there is one, and of each user the ten that were seen last.
   */
  addSession(token: NewToken, login: { passwordHash: string; network?: string }): Promise<number | undefined>;
  /** Whether the user has begun a session from that network since a time. */
  isKnownNetwork(userId: number, network: string, sinceMs: number): Promise<boolean>;
  /** The bearer of an unexpired token of an active user. */
  bearer(hash: string, nowMs: number): Promise<Bearer | undefined>;
  tokenHash(id: number): Promise<string | undefined>;
  /** Unexpired sessions and access tokens of a team in order of ID, or of one user of it. */
  sessions(teamId: number, userId: number | undefined, nowMs: number): Promise<OpenSession[]>;
  /** Ends a session or access token, and tells of it in the history where it is another's; true when there was one. */
  endSession(id: number): Promise<boolean>;
  /** Ends the token with that ID; true when there was one. */
  endToken(id: number): Promise<boolean>;
  /** Replaces one token by another in one step; answers the new ID, undefined when the old one had ended already. */
  replaceToken(id: number, token: NewToken): Promise<number | undefined>;
  /** API keys of a team in order of ID, or of one user of it. */
  apiKeys(teamId: number, userId?: number): Promise<Token[]>;
  /** Keys of edges, in order of ID. */
  edgeKeys(): Promise<EdgeKey[]>;
  addEdgeKey(key: Omit<EdgeKey, 'id'>): Promise<number>;
  /** Ends the edge's key with that ID; true when there was one. */
  endEdgeKey(id: number): Promise<boolean>;
  /** Notes when a token was used last. A session of the console then expires at `expiresAtMs`, or at its end. */
  touchToken(id: number, atMs: number, expiresAtMs: number): Promise<void>;
  /** Removes sessions and links that expired before `beforeMs`; answers how many sessions. API keys stay until they are revoked. */
  removeExpired(beforeMs: number): Promise<number>;
}
