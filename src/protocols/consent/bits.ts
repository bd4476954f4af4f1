/** RFC 4648 §5, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Bits of a character. */
export const sextetBits = 6;
const sextetsEnd = 2 ** sextetBits;

const sextets = new Uint8Array(128);
for (const [value, character] of [...alphabet].entries()) sextets[character.charCodeAt(0)] = value;

/** Far above any string of a consent platform; it bounds the work that a stranger's text can make. */
export const textLengthMax = 16_384;

const sextetAt = (text: string, at: number) => sextets[text.charCodeAt(at)] ?? 0;

/** A bit of a base64url text, whose places count from 0. What is behind the text is 0. */
export const bitAt = (text: string, at: number): number =>
  (sextetAt(text, (at / sextetBits) | 0) >> (sextetBits - 1 - (at % sextetBits))) & 1;

/** A big-endian number of up to 48 bits. */
export function numberAt(text: string, at: number, width: number): number {
  let character = (at / sextetBits) | 0;
  const before = at % sextetBits;
  let value = sextetAt(text, character) & ((1 << (sextetBits - before)) - 1);
  let left = width - (sextetBits - before);
  while (left > 0) {
    character += 1;
    value = value * sextetsEnd + sextetAt(text, character);
    left -= sextetBits;
  }
  return left === 0 ? value : Math.floor(value / 2 ** -left);
}
