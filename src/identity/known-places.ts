import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IdentityStore, User } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import { type Attempt, networkOf } from './login-limiter.ts';
import type { Random } from './tokens.ts';

export interface LoginPlace {
  readonly address: string;
  /** What `browserToken` gave the browser before. */
  readonly browser?: string | undefined;
}

/** Where users have logged in before (reference, A23). */
export interface KnownPlaces {
  /** Makes a missing key, so that no login has to write it. Never rejects. */
  prepare(): Promise<void>;
  /** Takes as long for an unknown user. */
  knownBy(user: Pick<User, 'id'> | undefined, place: LoginPlace): Promise<Attempt['knownBy']>;
  /** Keyed, and different for each user. */
  networkHash(userId: number, address: string): Promise<string>;
  /** Says only that the user has logged in there, and cannot be forged. */
  browserToken(userId: number): Promise<string>;
}

/** After the last login. */
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
  /** If it is that user's and still counts. */
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
