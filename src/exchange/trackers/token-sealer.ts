import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { type ByteWriter, createByteWriter } from './byte-writer.ts';
import { createNonces, nonceBytes } from './nonces.ts';
import { clockSkewMs, createTokenKeys, hourAt, type Keyring, tokenCipher } from './token-keys.ts';
import { type SealType, sealTypes } from './token-type.ts';
import { adLifeMsMax } from './tracked-ad.ts';

/** Longest token; longer ones are refused. Its values are bounded so that it fits, and its URL into a header. */
export const tokenCharactersMax = 14_848;

const bytesMax = (tokenCharactersMax / 4) * 3;
const version = 3;
const headerBytes = 6;
const tagBytes = 16;
const cipherOptions = { authTagLength: tagBytes };
/** The hour takes so many bits of four bytes, until the year 2089; above it stands the ID of the key of trackers. */
const hourBits = 20;
const hourMask = 2 ** hourBits - 1;

/** What stands in clear before the rest, and is authenticated with it: version, type, key of trackers, and hour. */
function headerOf(type: SealType, keyId: number, hour: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(version, 0);
  header.writeUInt8(sealTypes.indexOf(type), 1);
  header.writeUInt32BE(keyId * 2 ** hourBits + hour, 2);
  return header;
}

/** The bytes of a text in base64url; undefined for any text but the one that these bytes are written as. */
function bytesOf(token: string): Buffer | undefined {
  if (token.length > tokenCharactersMax) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const isCanonical =
    bytes.length > headerBytes + nonceBytes + tagBytes && bytes.toString('base64url') === token;
  return isCanonical ? bytes : undefined;
}

/** What was encrypted after this header; undefined where any byte is another one. */
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

/** What a token holds, and the hour whose key it was sealed with. */
export interface DecryptedToken {
  readonly plain: Buffer;
  readonly hour: number;
}

/** Seals values in tokens, and opens them again. */
export interface TokenSealer {
  /** A token of that type under the key of that hour, URL-safe. Throws `RangeError` for more than a token takes. */
  seal(type: SealType, atMs: number, write: (to: ByteWriter) => void): string;
  /** What a token of ours of that type holds; undefined where it is none, or of an hour too long ago. */
  open(type: SealType, token: string, nowMs: number): DecryptedToken | undefined;
}

/**
 * Tokens under keys that all processes of the installation share. A token is base64url of a header, a nonce, the
 * values encrypted, and the tag that authenticates all three.
 */
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
