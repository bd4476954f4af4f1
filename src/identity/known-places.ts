import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IdentityStore, User } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import { type Attempt, networkOf } from './login-limiter.ts';
import type { Random } from './tokens.ts';

export interface LoginPlace {
  readonly address: string;
  /** What `browserToken` gave the client's browser before, as the browser sends it. */
  readonly browser?: string | undefined;
}

/** Networks and browsers from which users have logged in before (reference, A23). */
export interface KnownPlaces {
  /** Makes the key, where the database has none; a login must not be the first to write. Never rejects. */
  prepare(): Promise<void>;
  /** By what the user is known to have logged in from there; it takes as long where there is no such user. */
  knownBy(user: Pick<User, 'id'> | undefined, place: LoginPlace): Promise<Attempt['knownBy']>;
  /** What the database keeps of a network: a keyed hash, other for each user. */
  networkHash(userId: number, address: string): Promise<string>;
  /** What a browser is given once the user has logged in; it says nothing but that, and nobody else can make it. */
  browserToken(userId: number): Promise<string>;
}

/** For so long a network or browser is known after the last login. */
export const knownPlaceMs = 90 * 86_400_000;

const idBytes = 12;
const tokenPattern = /^(?<user>\d{1,15})\.(?<id>[\w-]{16})\.(?<expires>\d{1,15})\.(?<mac>[\w-]{43})$/;

export function createKnownPlaces({
  store,
  secret,
  now,
  random,
}: {
  store: Pick<IdentityStore, 'isKnownNetwork'>;
  secret: Store['secret'];
  now: () => number;
  random: Random;
}): KnownPlaces {
  let key: Promise<Buffer> | undefined;
  const mac = async (text: string) => {
    key ??= secret('known places').catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return createHmac('sha256', await key)
      .update(text)
      .digest('base64url');
  };
  const browserMac = (user: string, id: string, expires: string) =>
    mac(`browser\n${user}\n${id}\n${expires}`);
  const networkHash = (userId: number, address: string) => mac(`network\n${userId}\n${networkOf(address)}`);
  /** ID of the browser that the token was given to, where it was for that user and still counts. */
  const browserOf = async (userId: number, token: string) => {
    const { user, id, expires, mac: sent } = tokenPattern.exec(token)?.groups ?? {};
    if (user === undefined || id === undefined || expires === undefined || sent === undefined)
      return undefined;
    const isRight = timingSafeEqual(Buffer.from(await browserMac(user, id, expires)), Buffer.from(sent));
    return isRight && Number(user) === userId && Number(expires) > now() ? id : undefined;
  };
  return {
    prepare: () =>
      mac('').then(
        () => undefined,
        () => undefined,
      ),
    networkHash,
    async knownBy(user, { address, browser: token = '' }) {
      const userId = user?.id ?? 0;
      const browser = await browserOf(userId, token);
      if (browser !== undefined) return { browser };
      const isKnown = await store.isKnownNetwork(
        userId,
        await networkHash(userId, address),
        now() - knownPlaceMs,
      );
      return isKnown ? { browser: undefined } : undefined;
    },
    async browserToken(userId) {
      const [user, id, expires] = [
        String(userId),
        random(idBytes).toString('base64url'),
        String(now() + knownPlaceMs),
      ];
      return `${user}.${id}.${expires}.${await browserMac(user, id, expires)}`;
    },
  };
}
