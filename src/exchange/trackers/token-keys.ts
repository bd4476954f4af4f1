import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { createRecentCache } from '../../shared/recent-cache.ts';
import type { TrackerKey } from '../configuration.ts';

/** NIST SP 800-38D. */
export const tokenCipher = 'aes-256-gcm';

const hourMs = 3_600_000;
const keyBytes = 32;
const keyIdBytes = 4;
/** Our own machines' clocks differ by less. */
export const clockSkewMs = 5 * 60_000;
const keysMax = 64;
const label = Buffer.from('bourse tracker token');

/** Since 1970. An auction's hour is that of its token's key. */
export const hourAt = (timeMs: number) => Math.floor(timeMs / hourMs);

function derived(secret: Uint8Array, hour: number): KeyObject {
  const info = Buffer.alloc(label.length + keyIdBytes);
  info.set(label);
  info.writeUInt32BE(hour, label.length);
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', info, keyBytes)));
}

/** In the order of their times; at least one. */
export type Keyring = () => readonly TrackerKey[];

export interface TokenKeys {
  sealingAt(timeMs: number): number;
  /** Undefined if unknown, or if it sealed nothing in that hour. */
  of(id: number, hour: number): KeyObject | undefined;
}

/**
 * Keys for an hour's tokens, derived from the key of trackers in use then (HKDF, RFC 5869). None must encrypt over 2^32
 * messages with random nonces (NIST SP 800-38D §8.3): a million a second, all processes together. A leaked key is
 * worthless soon after it is replaced.
 */
export function createTokenKeys(keyring: Keyring): TokenKeys {
  const keys = createRecentCache<string, KeyObject>(keysMax);
  return {
    sealingAt: (timeMs) => keyring().findLast(({ fromMs }) => fromMs <= timeMs)?.id ?? 0,
    of(id, hour) {
      const all = keyring();
      const index = all.findIndex((key) => key.id === id);
      const key = all[index];
      const endMs = all[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      if (!key || hour < hourAt(key.fromMs - clockSkewMs) || hour > hourAt(endMs + clockSkewMs))
        return undefined;
      return keys.getOrMake(`${id}/${hour}`, () => derived(key.secret, hour));
    },
  };
}
