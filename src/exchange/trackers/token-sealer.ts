import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { type ByteWriter, createByteWriter } from './byte-writer.ts';
import { createNonces, nonceBytes } from './nonces.ts';
import { clockSkewMs, createTokenKeys, hourAt, type Keyring, tokenCipher } from './token-keys.ts';
import { type SealType, sealTypes } from './token-type.ts';
import { adLifeMsMax } from './tracked-ad.ts';

/** Values are bounded so that a token fits, and its URL fits into a header. */
export const tokenCharactersMax = 14_848;

const bytesMax = (tokenCharactersMax / 4) * 3;
const version = 3;
const headerBytes = 6;
const tagBytes = 16;
const cipherOptions = { authTagLength: tagBytes };
/** The hour's bits of four bytes, until the year 2089; the tracker key's ID is above. */
const hourBits = 20;
const hourMask = 2 ** hourBits - 1;

/** In clear but authenticated: version, type, key of trackers, hour. */
function headerOf(type: SealType, keyId: number, hour: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(version, 0);
  header.writeUInt8(sealTypes.indexOf(type), 1);
  header.writeUInt32BE(keyId * 2 ** hourBits + hour, 2);
  return header;
}

/** Base64url; undefined for any but its canonical text. */
function bytesOf(token: string): Buffer | undefined {
  if (token.length > tokenCharactersMax) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const isCanonical =
    bytes.length > headerBytes + nonceBytes + tagBytes && bytes.toString('base64url') === token;
  return isCanonical ? bytes : undefined;
}

/** Undefined if any byte has changed. */
function decrypted(bytes: Buffer, header: Buffer, key: KeyObject): Buffer | undefined {
  const nonce = bytes.subarray(headerBytes, headerBytes + nonceBytes);
  const tagAt = bytes.length - tagBytes;
  const decipher = createDecipheriv(tokenCipher, key, nonce, cipherOptions);
  decipher.setAAD(header).setAuthTag(bytes.subarray(tagAt));
  const plain = decipher.update(bytes.subarray(headerBytes + nonceBytes, tagAt));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

export interface DecryptedToken {
  readonly plain: Buffer;
  readonly hour: number;
}

export interface TokenSealer {
  /** URL-safe. Throws `RangeError` if too long. */
  seal(type: SealType, atMs: number, write: (to: ByteWriter) => void): string;
  /** Undefined if invalid, or of an hour too long ago. */
  open(type: SealType, token: string, nowMs: number): DecryptedToken | undefined;
}

/** The installation shares keys. A token is base64url of header, nonce, ciphertext, and the tag over all three. */
export function createTokenSealer(keyring: Keyring): TokenSealer {
  const keys = createTokenKeys(keyring);
  const nextNonce = createNonces();
  const pack = createByteWriter(bytesMax - headerBytes - nonceBytes - tagBytes);
  return {
    seal(type, atMs, write) {
      const hour = hourAt(atMs);
      const keyId = keys.sealingAt(atMs);
      const key = keys.of(keyId, hour);
      if (!key) throw new RangeError(`there is no key for trackers of ${new Date(atMs).toJSON()}`);
      const header = headerOf(type, keyId, hour);
      const nonce = nextNonce();
      const cipher = createCipheriv(tokenCipher, key, nonce, cipherOptions).setAAD(header);
      const covered = cipher.update(pack(write));
      cipher.final();
      return Buffer.concat([header, nonce, covered, cipher.getAuthTag()]).toString('base64url');
    },
    open(type, token, nowMs) {
      const bytes = bytesOf(token);
      if (!bytes) return undefined;
      const word = bytes.readUInt32BE(2);
      const [keyId, hour] = [word >>> hourBits, word & hourMask];
      const header = headerOf(type, keyId, hour);
      const isAlive = hour <= hourAt(nowMs + clockSkewMs) && hour >= hourAt(nowMs - adLifeMsMax);
      if (!isAlive || header.compare(bytes, 0, headerBytes) !== 0) return undefined;
      const key = keys.of(keyId, hour);
      const plain = key && decrypted(bytes, header, key);
      return plain && { plain, hour };
    },
  };
}
