import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The cipher of tokens: AES with 256 bits in Galois/Counter Mode (NIST SP 800-38D). */
export const tokenCipher = 'aes-256-gcm';

const hourMs = 3_600_000;
const keyBytes = 32;
const keyIdBytes = 4;
const keysMax = 64;
const label = Buffer.from('bourse tracker token');

/** The ID of the key for tokens of auctions at a time: its hour since 1970. */
export const keyIdAt = (timeMs: number) => Math.floor(timeMs / hourMs);

/**
 * Keys by their ID, the hour of the auctions whose tokens they encrypt, all derived from one secret (HKDF, RFC 5869). A
 * key must not encrypt more than 2^32 messages under random nonces (NIST SP 800-38D §8.3): more than a million a
 * second, by all processes together.
 */
export function createTokenKeys(secret: Uint8Array): (id: number) => KeyObject {
  const keys = new Map<number, KeyObject>();
  return (id) => {
    const known = keys.get(id);
    if (known) return known;
    const info = Buffer.alloc(label.length + keyIdBytes);
    info.set(label);
    info.writeUInt32BE(id, label.length);
    const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', info, keyBytes)));
    if (keys.size >= keysMax) keys.clear();
    keys.set(id, key);
    return key;
  };
}
