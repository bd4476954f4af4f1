import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const nameCharacters = 22;

/** It does not reveal the key; 132 bits keep its index small. */
export function keyHash(key: string): string {
  return hash('sha256', `name:${key}`, 'base64url').slice(0, nameCharacters);
}

function secretOf(key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'bourse', 'remembered answer', 32));
}

/** Readable only with the key: answers may carry credentials, which the database must not show. */
export function seal(key: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, secretOf(key), nonce);
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), sealed]).toString('base64');
}

/** Throws for another key. */
export function unseal(key: string, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decryption = createDecipheriv(cipher, secretOf(key), bytes.subarray(0, nonceBytes));
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const sealed = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decryption.update(sealed), decryption.final()]).toString('utf8');
}
