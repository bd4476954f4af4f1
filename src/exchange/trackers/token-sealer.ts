import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { matchLifeMs } from '../viewer-matches.ts';
import { type ByteReader, type ByteWriter, createByteWriter, readBytes } from './byte-writer.ts';
import { createNonces, nonceBytes } from './nonces.ts';
import { clockSkewMs, createTokenKeys, hourAt, type Keyring, tokenCipher } from './token-keys.ts';
import { type SealType, sealTypes } from './token-type.ts';
import { adLifeMsMax } from './tracked-ad.ts';

/** Values are bounded so that a token fits, and its URL fits into a header. */
export const tokenCharactersMax = 14_848;

const bytesMax = (tokenCharactersMax / 4) * 3;
/**
 * A form is read one release before it is written, so that versions that follow each other serve the same trackers.
 * Version 5 is 4 with consent, 6 with exchange rates, 7 with viewers' hashes, and 8 with floor rules (`packed-ad.ts`):
 * these three are written only for prices in another currency, for frequency, and where floor rules are. Version 4 may
 * go with the release after the first that writes 5.
 */
const writtenVersion = 5;
const oldestVersion = 4;
const newestVersion = 8;
const headerBytes = 6;
/** Of base64. */
const headerCharacters = 8;
const tagBytes = 16;
const cipherOptions = { authTagLength: tagBytes };
/** The hour's bits of four bytes, until the year 2089; the tracker key's ID is above. */
const hourBits = 20;
const hourMask = 2 ** hourBits - 1;

/** A token that is not lost: a newer version of the program reads it. */
export class UnreadableToken extends Error {}

/** Tokens of ads live as long as their ads. */
const lifeMsOf = (type: SealType) => (type === 'matches' ? matchLifeMs : adLifeMsMax);

/** In clear but authenticated: version, type, key of trackers, hour. */
function headerOf(version: number, type: SealType, keyId: number, hour: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt8(version, 0);
  header.writeUInt8(sealTypes.indexOf(type), 1);
  header.writeUInt32BE(keyId * 2 ** hourBits + hour, 2);
  return header;
}

interface Envelope {
  readonly version: number;
  readonly key: KeyObject;
  readonly hour: number;
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
function decrypted(bytes: Buffer, key: KeyObject): Buffer | undefined {
  const nonce = bytes.subarray(headerBytes, headerBytes + nonceBytes);
  const tagAt = bytes.length - tagBytes;
  const decipher = createDecipheriv(tokenCipher, key, nonce, cipherOptions);
  decipher.setAAD(bytes.subarray(0, headerBytes)).setAuthTag(bytes.subarray(tagAt));
  const plain = decipher.update(bytes.subarray(headerBytes + nonceBytes, tagAt));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

export interface TokenSealer {
  /** URL-safe. Throws `RangeError` if too long. */
  seal(type: SealType, atMs: number, write: (to: ByteWriter) => void, version?: number): string;
  /** Whether a token's head, not yet authenticated, is of that type and of an hour and key that count now. */
  isCurrent(type: SealType, token: string, nowMs: number): boolean;
  /**
   * Undefined if invalid, or of an hour too long ago. `read` knows version and hour of the token. Throws
   * `UnreadableToken` for one of the version after ours, and one of ours whose values cannot be read.
   */
  open<Value>(
    type: SealType,
    token: string,
    nowMs: number,
    read: (from: ByteReader, envelope: Pick<Envelope, 'version' | 'hour'>) => Value,
  ): Value | undefined;
}

/** The installation shares keys. A token is base64url of header, nonce, ciphertext, and the tag over all three. */
export function createTokenSealer(keyring: Keyring): TokenSealer {
  const keys = createTokenKeys(keyring);
  const nextNonce = createNonces();
  const pack = createByteWriter(bytesMax - headerBytes - nonceBytes - tagBytes);
  const envelopeOf = (type: SealType, token: string, nowMs: number): Envelope | undefined => {
    const header = Buffer.from(token.slice(0, headerCharacters), 'base64url');
    if (header.length !== headerBytes || header[1] !== sealTypes.indexOf(type)) return undefined;
    if (header[0] === newestVersion + 1) throw new UnreadableToken('a token of a newer version');
    const version = header[0] as number;
    const isRead = version >= oldestVersion && version <= newestVersion;
    const word = header.readUInt32BE(2);
    const hour = word & hourMask;
    const isAlive = hour <= hourAt(nowMs + clockSkewMs) && hour >= hourAt(nowMs - lifeMsOf(type));
    const key = isRead && isAlive ? keys.of(word >>> hourBits, hour) : undefined;
    return key && { version, key, hour };
  };
  return {
    seal(type, atMs, write, version = writtenVersion) {
      const hour = hourAt(atMs);
      const keyId = keys.sealingAt(atMs);
      const key = keys.of(keyId, hour);
      if (!key) throw new RangeError(`there is no key for trackers of ${new Date(atMs).toJSON()}`);
      const header = headerOf(version, type, keyId, hour);
      const nonce = nextNonce();
      const cipher = createCipheriv(tokenCipher, key, nonce, cipherOptions).setAAD(header);
      const covered = cipher.update(pack(write));
      cipher.final();
      return Buffer.concat([header, nonce, covered, cipher.getAuthTag()]).toString('base64url');
    },
    isCurrent: (type, token, nowMs) => envelopeOf(type, token, nowMs) !== undefined,
    open(type, token, nowMs, read) {
      const envelope = envelopeOf(type, token, nowMs);
      const bytes = envelope && bytesOf(token);
      const plain = bytes && decrypted(bytes, envelope.key);
      if (!plain) return undefined;
      try {
        return readBytes(plain, (from) => read(from, envelope));
      } catch (error) {
        if (error instanceof RangeError) throw new UnreadableToken('a token of ours', { cause: error });
        throw error;
      }
    },
  };
}
