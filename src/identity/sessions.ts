import { Refusal } from '../fields/fault.ts';
import type { Bearer, Client, NewToken, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { type LoginAttempt, wrongCredentials } from './login-check.ts';
import { consoleIdleMs, newToken, tokenHash } from './tokens.ts';

export interface Session {
  readonly userId: number;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Its token goes into the cookie and nowhere else. */
export interface ConsoleSession extends Session {
  readonly teamId: number;
  /** Goes into a cookie; identifies the browser at the next login. */
  readonly browserToken: string;
}

export interface Sessions {
  /**
   * Refuses with `unauthorized` after the same work whichever is wrong, `too_many` after too many failures (reference,
   * A23), and `unavailable` while too many logins are under way.
   */
  login(attempt: LoginAttempt): Promise<Session>;
  /** Lasts an hour without use, twelve at most. Refuses like `login`. */
  openConsole(attempt: LoginAttempt): Promise<ConsoleSession>;
  /** Uses the link up. Refuses an invalid one with `unauthorized`. */
  openConsoleByLink(sent: { link: string; address: string; userAgent?: string }): Promise<ConsoleSession>;
  /** Replaces the bearer's session. Refuses all but access tokens with `forbidden`. */
  refresh(bearer: Bearer): Promise<Session>;
  /** Refuses API keys with `forbidden`. */
  logout(bearer: Bearer): Promise<void>;
  /** Without the password: for the command line. */
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

/** Now and then; tries again at the next login if that fails. */
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

export function apiKeyRefusal(operation: 'refresh' | 'logout'): string {
  return `An API key has no ${operation}; manage it by /api/auth/apikey/add and /api/auth/apikey/revoke`;
}

function demandSession({ kind }: Bearer, operation: 'refresh' | 'logout'): void {
  if (kind === 'key') throw new Refusal('forbidden', apiKeyRefusal(operation));
  if (kind === 'console' && operation === 'refresh')
    throw new Refusal(
      'forbidden',
      'A console session continues while it is used; only access tokens can be renewed',
    );
}

const userAgentCharactersMax = 512;

function clientOf({ address, userAgent = '' }: Pick<LoginAttempt, 'address' | 'userAgent'>): Client {
  return { address, userAgent: userAgent.slice(0, userAgentCharactersMax) };
}

export function createSessions(context: IdentityContext): Sessions {
  const { store, check, links, knownPlaces } = context;
  const removeExpired = sessionCleanup(context);
  const keep = async (row: NewToken, { passwordHash }: User): Promise<void> => {
    const { userId, client } = row;
    const network = client && { network: await knownPlaces.networkHash(userId, client.address) };
    const added = store.addSession(row, { passwordHash, ...network });
    const [tokenId] = await Promise.all([added, removeExpired()]);
    // The user's password or status has changed meanwhile.
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
