import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { TrackerKey } from '../configuration.ts';

/** The cipher of tokens: AES with 256 bits in Galois/Counter Mode (NIST SP 800-38D). */
export const tokenCipher = 'aes-256-gcm';

const hourMs = 3_600_000;
const keyBytes = 32;
const keyIdBytes = 4;
/** Clocks of our own machines differ by less. */
export const clockSkewMs = 5 * 60_000;
const keysMax = 64;
const label = Buffer.from('bourse tracker token');

/** The hour of a time, since 1970: that of an auction is that of its token's key. */
export const hourAt = (timeMs: number) => Math.floor(timeMs / hourMs);

function derived(secret: Uint8Array, hour: number): KeyObject {
  const info = Buffer.alloc(label.length + keyIdBytes);
  info.set(label);
  info.writeUInt32BE(hour, label.length);
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', info, keyBytes)));
}

/** The installation's keys of trackers as they are known now, in the order of their times; at least one. */
export type Keyring = () => readonly TrackerKey[];

export interface TokenKeys {
  /** ID of the key of trackers that seals at a time. */
  sealingAt(timeMs: number): number;
  /** The key for an hour; undefined where there is none of that ID, or it sealed nothing in that hour. */
  of(id: number, hour: number): KeyObject | undefined;
}

/**
 * Keys for the tokens of an hour's auctions, each derived from the key of trackers that seals then (HKDF, RFC 5869). None
 * must encrypt more than 2^32 messages under random nonces (NIST SP 800-38D §8.3): more than a million a second, by all
 * processes together. A key of trackers opens tokens of its own time alone, so that one that leaked is worth nothing soon
 * after it was replaced.
 */
export function createTokenKeys(keyring: Keyring): TokenKeys {
  const keys = new Map<string, KeyObject>();
  return {
    sealingAt: (timeMs) => keyring().findLast(({ fromMs }) => fromMs <= timeMs)?.id ?? 0,
    of(id, hour) {
      const all = keyring();
      const index = all.findIndex((key) => key.id === id);
      const key = all[index];
      const endMs = all[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      if (!key || hour < hourAt(key.fromMs - clockSkewMs) || hour > hourAt(endMs + clockSkewMs))
        return undefined;
      const name = `${id}/${hour}`;
      const known = keys.get(name);
      if (known) return known;
      const fresh = derived(key.secret, hour);
      if (keys.size >= keysMax) keys.clear();
      keys.set(name, fresh);
      return fresh;
    },
  };
}
