import { Refusal } from '../fields/fault.ts';
import type { Bearer, Client, NewToken, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { verifyPassword } from './passwords.ts';
import { consoleIdleMs, newToken, tokenHash } from './tokens.ts';

/** A token that was just handed out. It is readable here and nowhere else. */
export interface Session {
  readonly userId: number;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** A session of the console that has just begun. Its token goes into the cookie and nowhere else. */
export interface ConsoleSession extends Session {
  readonly teamId: number;
}

/** A mail address, a password, and who sends them. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  /** IP address of the client. */
  readonly address: string;
  readonly userAgent?: string;
}

/** Logging in and out (decisions A1, A2, A14). */
export interface Sessions {
  /**
   * A session for a mail address and its password. Refuses with `unauthorized` when they do not match, after the same
   * work whichever of them is wrong; with `too_many` after ten failures in a minute for the mail or the client's
   * address; with `unavailable` while too many logins are under way.
   */
  login(attempt: LoginAttempt): Promise<Session>;
  /** A session of the console, which lasts an hour without use and twelve at most. Refuses as `login` does. */
  openConsole(attempt: LoginAttempt): Promise<ConsoleSession>;
  /** A new session in place of the bearer's, which ends. Refuses all but access tokens with `forbidden`. */
  refresh(bearer: Bearer): Promise<Session>;
  /** Ends the bearer's session. Refuses API keys with `forbidden`. */
  logout(bearer: Bearer): Promise<void>;
  /** A session for a user by mail, without the password: for the command line. */
  issueToken(mail: string): Promise<Session>;
}

const sessionSeconds = 3600;
const consoleLongestMs = 12 * 3_600_000;
const loginsUnderWayMax = 64;
const removeExpiredEveryMs = 600_000;

function freshSession(
  { now, random }: IdentityContext,
  userId: number,
  lastsMs = sessionSeconds * 1000,
): { session: Session; row: NewToken } {
  const accessToken = newToken(random);
  const createdAtMs = now();
  const expiresAtMs = createdAtMs + lastsMs;
  return {
    session: { userId, accessToken, expiresInSeconds: lastsMs / 1000 },
    row: { hash: tokenHash(accessToken), userId, label: undefined, createdAtMs, expiresAtMs },
  };
}

/** Removes expired sessions, now and then, and tries again at the next login where that fails. */
function sessionCleanup({ store, now }: IdentityContext): () => Promise<void> {
  let nextAtMs = 0;
  return async () => {
    if (now() < nextAtMs) return;
    nextAtMs = now() + removeExpiredEveryMs;
    await store.removeExpired(now()).catch(() => {
      nextAtMs = 0;
    });
  };
}

/** Runs at most `jobsMax` jobs at once, and refuses the others: passwords are slow to check on purpose. */
function limitConcurrency(jobsMax: number) {
  let underWay = 0;
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (underWay >= jobsMax) {
      throw new Refusal('unavailable', 'Too many logins at once; try again', { retryAfterSeconds: 1 });
    }
    underWay += 1;
    try {
      return await job();
    } finally {
      underWay -= 1;
    }
  };
}

/** Why an API key may not do what sessions do. */
export function keysHaveNo(operation: 'refresh' | 'logout'): string {
  return `An API key has no ${operation}; manage it by /api/auth/apikey/add and /api/auth/apikey/revoke`;
}

function demandSession({ kind }: Bearer, operation: 'refresh' | 'logout'): void {
  if (kind === 'key') throw new Refusal('forbidden', keysHaveNo(operation));
  if (kind === 'console' && operation === 'refresh')
    throw new Refusal(
      'forbidden',
      'The session of the console goes on while it is used; only access tokens are renewed',
    );
}

function wrongPair(): Refusal {
  return new Refusal('unauthorized', 'Username or Password is wrong');
}

/** Checks pairs of mail and password, within the limits of failures and of concurrency. */
function passwordCheck({ store, loginLimiter: limiter }: IdentityContext) {
  const limited = limitConcurrency(loginsUnderWayMax);
  return async ({ username: mail, password, address }: LoginAttempt): Promise<User> => {
    const attempt = { mail, address };
    limiter.check(attempt);
    const user = await store.userByMail(mail);
    const isRight = await limited(() => verifyPassword(password, user?.passwordHash));
    // Checks again: of many attempts at the same time, none that ends after the tenth failure may learn anything.
    limiter.check(attempt);
    if (user && isRight && user.status === 0) return user;
    limiter.fail(attempt);
    throw wrongPair();
  };
}

const userAgentCharactersMax = 512;

function clientOf({ address, userAgent = '' }: LoginAttempt): Client {
  return { address, userAgent: userAgent.slice(0, userAgentCharactersMax) };
}

/** Sessions of users, an hour long. */
export function createSessions(context: IdentityContext): Sessions {
  const { store } = context;
  const checkPassword = passwordCheck(context);
  const removeExpired = sessionCleanup(context);
  const keep = async (row: NewToken, { passwordHash }: User): Promise<void> => {
    const [tokenId] = await Promise.all([store.addSession(row, passwordHash), removeExpired()]);
    // The user's password or status has changed since the user was read.
    if (tokenId === undefined) throw wrongPair();
  };
  const begin = async (user: User, client?: Client): Promise<Session> => {
    const { session, row } = freshSession(context, user.id);
    await keep({ ...row, ...(client && { client }) }, user);
    return session;
  };
  const beginConsole = async (user: User, client: Client): Promise<ConsoleSession> => {
    const { session, row } = freshSession(context, user.id, consoleIdleMs);
    await keep({ ...row, client, endsAtMs: row.createdAtMs + consoleLongestMs }, user);
    return { ...session, teamId: user.teamId };
  };
  return {
    login: async (attempt) => begin(await checkPassword(attempt), clientOf(attempt)),
    openConsole: async (attempt) => beginConsole(await checkPassword(attempt), clientOf(attempt)),
    async refresh(bearer) {
      demandSession(bearer, 'refresh');
      const { session, row } = freshSession(context, bearer.userId);
      const id = await store.replaceToken(bearer.tokenId, row);
      if (id === undefined) throw new Refusal('unauthorized', 'The access token was ended');
      return session;
    },
    async logout(bearer) {
      demandSession(bearer, 'logout');
      await store.endToken(bearer.tokenId);
    },
    async issueToken(mail) {
      const user = await store.userByMail(mail);
      if (user?.status !== 0)
        throw new Refusal('invalid', `There is no active user with the mail address ${mail}`);
      return begin(user);
    },
  };
}
