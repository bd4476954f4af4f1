import { Refusal } from '../fields/fault.ts';
import type { Bearer, Client, NewToken, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { type LoginAttempt, wrongCredentials } from './login-check.ts';
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
  /** By which the browser is known at the next login; it goes into a cookie, too. */
  readonly browserToken: string;
}

/** Logging in and out (reference, A1, A2, A14). */
export interface Sessions {
  /**
   * A session for a mail address and its password. Refuses with `unauthorized` when they do not match, after the same
   * work whichever of them is wrong; with `too_many` after too many failures (reference, A23); with `unavailable` while too many logins are under way.
   */
  login(attempt: LoginAttempt): Promise<Session>;
  /** A session of the console, which lasts an hour without use and twelve at most. Refuses as `login` does. */
  openConsole(attempt: LoginAttempt): Promise<ConsoleSession>;
  /** A session of the console by a link, which is used up. Refuses with `unauthorized` one that does not work. */
  openConsoleByLink(sent: { link: string; address: string; userAgent?: string }): Promise<ConsoleSession>;
  /** A new session in place of the bearer's, which ends. Refuses all but access tokens with `forbidden`. */
  refresh(bearer: Bearer): Promise<Session>;
  /** Ends the bearer's session. Refuses API keys with `forbidden`. */
  logout(bearer: Bearer): Promise<void>;
  /** A session for a user by mail, without the password: for the command line. */
  issueToken(mail: string): Promise<Session>;
}

const sessionSeconds = 3600;
const consoleLongestMs = 12 * 3_600_000;
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

/** Why an API key may not do what sessions do. */
export function apiKeyRefusal(operation: 'refresh' | 'logout'): string {
  return `An API key has no ${operation}; manage it by /api/auth/apikey/add and /api/auth/apikey/revoke`;
}

function demandSession({ kind }: Bearer, operation: 'refresh' | 'logout'): void {
  if (kind === 'key') throw new Refusal('forbidden', apiKeyRefusal(operation));
  if (kind === 'console' && operation === 'refresh')
    throw new Refusal(
      'forbidden',
      'The session of the console goes on while it is used; only access tokens are renewed',
    );
}

const userAgentCharactersMax = 512;

function clientOf({ address, userAgent = '' }: Pick<LoginAttempt, 'address' | 'userAgent'>): Client {
  return { address, userAgent: userAgent.slice(0, userAgentCharactersMax) };
}

/** Sessions of users, an hour long. */
export function createSessions(context: IdentityContext): Sessions {
  const { store, check, links, knownPlaces } = context;
  const removeExpired = sessionCleanup(context);
  const keep = async (row: NewToken, { passwordHash }: User): Promise<void> => {
    const { userId, client } = row;
    const network = client && { network: await knownPlaces.networkHash(userId, client.address) };
    const added = store.addSession(row, { passwordHash, ...network });
    const [tokenId] = await Promise.all([added, removeExpired()]);
    // The user's password or status has changed since the user was read.
    if (tokenId === undefined) throw wrongCredentials();
  };
  const begin = async (user: User, client?: Client): Promise<Session> => {
    const { session, row } = freshSession(context, user.id);
    await keep({ ...row, ...(client && { client }) }, user);
    return session;
  };
  const beginConsole = async (user: User, client: Client): Promise<ConsoleSession> => {
    const { session, row } = freshSession(context, user.id, consoleIdleMs);
    await keep({ ...row, client, endsAtMs: row.createdAtMs + consoleLongestMs }, user);
    return { ...session, teamId: user.teamId, browserToken: await knownPlaces.browserToken(user.id) };
  };
  return {
    login: async (attempt) => begin(await check.login(attempt), clientOf(attempt)),
    openConsole: async (attempt) => beginConsole(await check.login(attempt), clientOf(attempt)),
    openConsoleByLink: async ({ link, ...client }) =>
      beginConsole(await links.useLoginLink(link), clientOf(client)),
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
