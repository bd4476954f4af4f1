import { hash, hkdfSync } from 'node:crypto';

const keyBytes = 32;
const counterBytes = 4;
const digestBytes = 32;

/** Encrypts bytes in place; a second call with the same nonce decrypts them. A nonce must not serve for other bytes. */
export type Cover = (bytes: Buffer, nonce: string) => Buffer;

/**
 * A stream cipher made of SHA-256 in counter mode (NIST SP 800-108), for nonces of a fixed length. Its key is derived
 * from the secret. To set up one of OpenSSL's ciphers costs several times as much as to hash these few bytes.
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
