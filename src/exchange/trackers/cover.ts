import { hash, hkdfSync } from 'node:crypto';

const keyBytes = 32;
const counterBytes = 4;
const digestBytes = 32;

/** Covers bytes in place, or uncovers them again: under the same nonce, which no other bytes may have. */
export type Cover = (bytes: Buffer, nonce: string) => Buffer;

/**
 * A stream cipher of SHA-256 in counter mode (NIST SP 800-108), over nonces of a fixed length, under a key of its own
 * derived from the secret. A cipher of OpenSSL costs several times as much to begin as these few bytes to hash.
 */
export function createCover(secret: Uint8Array, nonceCharacters: number): Cover {
  const seed = Buffer.alloc(keyBytes + nonceCharacters + counterBytes);
  seed.set(new Uint8Array(hkdfSync('sha256', secret, '', 'cover of tokens', keyBytes)));
  return (bytes, nonce) => {
    seed.write(nonce, keyBytes, 'latin1');
    for (let start = 0; start < bytes.length; start += digestBytes) {
      seed.writeUInt32BE(start / digestBytes, keyBytes + nonceCharacters);
      const pad = hash('sha256', seed, 'latin1');
      const end = Math.min(start + digestBytes, bytes.length);
      for (let at = start; at < end; at += 1) bytes[at] = (bytes[at] ?? 0) ^ pad.charCodeAt(at - start);
    }
    return bytes;
  };
}
