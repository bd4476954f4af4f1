import { Refusal } from '../fields/fault.ts';
import type { Bearer, NewToken, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { verifyPassword } from './passwords.ts';
import { newToken, tokenHash } from './tokens.ts';

/** A token that was just handed out. It is readable here and nowhere else. */
export interface Session {
  readonly userId: number;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Logging in and out (decisions A1, A2). */
export interface Sessions {
  /**
   * A session for a mail address and its password. Refuses with `unauthorized` when they do not match, after the same
   * work whichever of them is wrong; with `too_many` after ten failures in a minute for the mail or the client's
   * address; with `unavailable` while too many logins are under way.
   */
  login(attempt: { username: string; password: string; address: string }): Promise<Session>;
  /** A new session in place of the bearer's, which ends. Refuses API keys with `forbidden`. */
  refresh(bearer: Bearer): Promise<Session>;
  /** Ends the bearer's session. Refuses API keys with `forbidden`. */
  logout(bearer: Bearer): Promise<void>;
  /** A session for a user by mail, without the password: for the command line. */
  issueToken(mail: string): Promise<Session>;
}

const sessionSeconds = 3600;
const loginsUnderWayMax = 64;
const removeExpiredEveryMs = 600_000;

function freshSession({ now, random }: IdentityContext, userId: number): { session: Session; row: NewToken } {
  const accessToken = newToken(random);
  const createdAtMs = now();
  const expiresAtMs = createdAtMs + sessionSeconds * 1000;
  return {
    session: { userId, accessToken, expiresInSeconds: sessionSeconds },
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

function demandSession({ isApiKey }: Bearer, operation: 'refresh' | 'logout'): void {
  if (isApiKey) throw new Refusal('forbidden', keysHaveNo(operation));
}

function wrongPair(): Refusal {
  return new Refusal('unauthorized', 'Username or Password is wrong');
}

/** Checks pairs of mail and password, within the limits of failures and of concurrency. */
function passwordCheck({ store, loginLimiter: limiter }: IdentityContext) {
  const limited = limitConcurrency(loginsUnderWayMax);
  return async (mail: string, password: string, address: string): Promise<User> => {
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

/** Sessions of users, an hour long. */
export function createSessions(context: IdentityContext): Sessions {
  const { store } = context;
  const checkPassword = passwordCheck(context);
  const removeExpired = sessionCleanup(context);
  const begin = async ({ id, passwordHash }: User): Promise<Session> => {
    const { session, row } = freshSession(context, id);
    const [tokenId] = await Promise.all([store.addSession(row, passwordHash), removeExpired()]);
    // The user's password or status has changed since the user was read.
    if (tokenId === undefined) throw wrongPair();
    return session;
  };
  return {
    async login({ username, password, address }) {
      return begin(await checkPassword(username, password, address));
    },
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
