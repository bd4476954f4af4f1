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

/** A user of the management API. */
export interface User {
  readonly id: number;
  readonly teamId: number;
  readonly mail: string;
  readonly firstName: string;
  readonly lastName: string;
  /** 0 administrator, 1 manager, 2 analyst (decisions A5). */
  readonly role: number;
  /** 0 = Active, 1 = Inactive. */
  readonly status: number;
  /** PHC string of the password's argon2id hash. */
  readonly passwordHash: string;
}

/** An access token or an API key; of the token itself only the SHA-256 hash is kept (decisions A3). */
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

/** Where a session began. */
export interface Client {
  /** IP address. */
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

/** What a token is: an access token, an API key, or a session of the console, which a cookie carries. */
export type TokenKind = 'access' | 'key' | 'console';

/** Who a token speaks for. */
export interface Bearer {
  readonly tokenId: number;
  readonly userId: number;
  readonly teamId: number;
  readonly role: number;
  readonly kind: TokenKind;
  /** The database's last revision at the moment when the token was looked up. */
  readonly revision: number;
}

/** What of a user's access ends: the sessions always, the API keys where it is wanted. */
export interface AccessEnd {
  readonly revokesKeys: boolean;
}

/** The methods of `IdentityStore` that write. */
export type IdentityWrites = Pick<
  IdentityStore,
  | 'addTeam'
  | 'addUser'
  | 'addFirstUser'
  | 'setPassword'
  | 'addToken'
  | 'addSession'
  | 'endToken'
  | 'replaceToken'
  | 'touchToken'
  | 'removeExpired'
>;

/** Teams, users and tokens in the database. Mail addresses are compared without regard to case. */
export interface IdentityStore {
  /** Whether no user exists yet: a first start (decisions A7). */
  isEmpty(): Promise<boolean>;
  addTeam(team: Omit<Team, 'id'>): Promise<number>;
  team(id: number): Promise<Team | undefined>;
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
  /** Sets a new password hash and ends the user's access as told. Answers how many API keys were revoked. */
  setPassword(userId: number, passwordHash: string, end: AccessEnd): Promise<number>;
  /** Stores a token and answers its ID. */
  addToken(token: NewToken): Promise<number>;
  /**
   * Stores the token of a session that begins, if its user is active and still has the password hash that the
   * password was checked against; answers undefined, and stores nothing, where that is no longer so.
   */
  addSession(token: NewToken, passwordHash: string): Promise<number | undefined>;
  /** The bearer of an unexpired token of an active user. */
  bearer(hash: string, nowMs: number): Promise<Bearer | undefined>;
  /** Ends the token with that ID; true when there was one. */
  endToken(id: number): Promise<boolean>;
  /** Replaces one token by another in one step; answers the new ID, undefined when the old one had ended already. */
  replaceToken(id: number, token: NewToken): Promise<number | undefined>;
  /** API keys of a team in order of ID, or of one user of it. */
  apiKeys(teamId: number, userId?: number): Promise<Token[]>;
  /** Notes when a token was used last. A session of the console then expires at `expiresAtMs`, or at its end. */
  touchToken(id: number, atMs: number, expiresAtMs: number): Promise<void>;
  /** Removes sessions that expired before `beforeMs`; answers how many. API keys stay until they are revoked. */
  removeExpired(beforeMs: number): Promise<number>;
}
