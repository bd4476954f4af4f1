import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { createNonces, nonceBytes } from './nonces.ts';
import { isConsistent, packAd, unpackAd } from './packed-ad.ts';
import { createPacking, unpack } from './packing.ts';
import { createTokenKeys, keyIdAt, tokenCipher } from './token-keys.ts';
import { type TokenType, tokenTypes } from './token-type.ts';
import { adLifeMsMax, type TrackedAd } from './tracked-ad.ts';

/** Turns ads into tokens, and reads them back. */
export interface Tokens {
  /** A token of that type, URL-safe. Throws `RangeError` for an ad with a value out of its range. */
  sign(type: TokenType, ad: TrackedAd): string;
  /**
   * The ad of a token of ours of that type, also once its trackers have expired: links must still lead somewhere.
   * Undefined where it is none, or of an auction of more than `adLifeMsMax` ago.
   */
  read(type: TokenType, token: string, nowMs: number): TrackedAd | undefined;
}

/** Longest token; longer ones are refused. Its values are bounded so that it fits, and its URL into a header. */
export const tokenCharactersMax = 13_312;

const bytesMax = (tokenCharactersMax / 4) * 3;
const version = 1;
const headerBytes = 6;
const tagBytes = 16;
const cipherOptions = { authTagLength: tagBytes };
/** Clocks of our own machines differ by less. */
const clockSkewMs = 5 * 60_000;

/** What stands in clear before the rest, and is authenticated with it: version, type, and ID of the key. */
function headerOf(type: TokenType, keyId: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(version, 0);
  header.writeUInt8(tokenTypes.indexOf(type), 1);
  header.writeUInt32BE(keyId, 2);
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

/** The ad that was packed; undefined where it makes no sense for its token. */
function adIn(plain: Buffer, type: TokenType, keyId: number): TrackedAd | undefined {
  try {
    const ad = unpack(plain, unpackAd);
    return keyIdAt(ad.auctionMs) === keyId && isConsistent(type, ad) ? ad : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Tokens under a secret that all processes of the installation share. A token is base64url of a header, a nonce, the ad
 * encrypted, and the tag that authenticates all three. Its key is that of the hour of the ad's auction.
 */
export function createTokens(secret: Uint8Array): Tokens {
  const keyOf = createTokenKeys(secret);
  const nextNonce = createNonces();
  const pack = createPacking(bytesMax - headerBytes - nonceBytes - tagBytes);
  return {
    sign(type, ad) {
      if (!isConsistent(type, ad)) throw new RangeError(`an ad that is none for a token of type ${type}`);
      const keyId = keyIdAt(ad.auctionMs);
      const header = headerOf(type, keyId);
      const nonce = nextNonce();
      const cipher = createCipheriv(tokenCipher, keyOf(keyId), nonce, cipherOptions).setAAD(header);
      const covered = cipher.update(pack((to) => packAd(to, ad)));
      cipher.final();
      return Buffer.concat([header, nonce, covered, cipher.getAuthTag()]).toString('base64url');
    },
    read(type, token, nowMs) {
      const bytes = bytesOf(token);
      if (!bytes) return undefined;
      const keyId = bytes.readUInt32BE(2);
      const header = headerOf(type, keyId);
      const isAlive = keyId <= keyIdAt(nowMs + clockSkewMs) && keyId >= keyIdAt(nowMs - adLifeMsMax);
      if (!isAlive || header.compare(bytes, 0, headerBytes) !== 0) return undefined;
      const plain = decrypted(bytes, header, keyOf(keyId));
      return plain && adIn(plain, type, keyId);
    },
  };
}
