import { hash } from 'node:crypto';

/** Length of a signature in characters of base64url: HMAC-SHA-256, cut to 132 bits (RFC 2104 §5). */
export const signatureCharacters = 22;

const blockBytes = 64;
const digestBytes = 32;
const [innerPad, outerPad] = [0x36, 0x5c];

/** Room for a message behind the key's block, which is XORed with a pad (RFC 2104 §2). */
function padded(key: Uint8Array, pad: number, messageBytes: number): Buffer {
  const bytes = Buffer.alloc(blockBytes + messageBytes);
  bytes.set(key);
  for (let index = 0; index < blockBytes; index += 1) bytes[index] = (bytes[index] ?? 0) ^ pad;
  return bytes;
}

/** Most bytes that UTF-8 takes for one UTF-16 unit. */
const bytesPerCharacterMax = 3;

/**
 * Signs texts of at most `charactersMax` characters with a key of at most 64 bytes. The result is that of `createHmac`,
 * but made by two one-shot hashes: `createHmac` makes a stream and a native object for each text, which cost several
 * times the hashing.
 */
export function createSignatures(key: Uint8Array, charactersMax: number): (text: string) => string {
  if (key.length > blockBytes) throw new Error(`a key of ${key.length} bytes is longer than ${blockBytes}`);
  const inner = padded(key, innerPad, charactersMax * bytesPerCharacterMax);
  const outer = padded(key, outerPad, digestBytes);
  return (text) => {
    const length = inner.write(text, blockBytes);
    // The digest comes as a string with one character a byte, because a Buffer costs more to make than its content.
    outer.write(hash('sha256', inner.subarray(0, blockBytes + length), 'latin1'), blockBytes, 'latin1');
    return hash('sha256', outer, 'base64url').slice(0, signatureCharacters);
  };
}
