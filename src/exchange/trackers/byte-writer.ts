import { isUtf8 } from 'node:buffer';
import { tokenWords } from './token-words.ts';

const textBytesMax = 0xffff;
/** A byte of a number has seven bits of it, lowest first; this bit says that more follow. */
const moreBit = 0x80;
/** Up to it, operators of bits are exact. */
const bitsMax = 2 ** 31 - 1;
/** Buffers write longer texts faster. */
const asciiMax = 64;

/** Whole numbers, both bounds included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const lengthsAndWords: NumberRange = { min: 0, max: 2 * textBytesMax };

/**
 * Values in self-delimiting form: numbers as LEB128, texts behind twice their length, words as twice their place and 1.
 * Throws `RangeError` for one out of range.
 */
export interface ByteWriter {
  number(value: number, range: NumberRange): void;
  text(value: string): void;
  /** An even number of digits. */
  hex(digits: string): void;
}

/** Reads what a `ByteWriter` wrote, in order. Throws `RangeError` for anything else. */
export interface ByteReader {
  number(range: NumberRange): number;
  text(): string;
  hex(bytes: number): string;
}

const wordPlaces: ReadonlyMap<string, number> = new Map(tokenWords.map((word, place) => [word, place]));

function wordAt(place: number): string {
  const word = tokenWords[place];
  if (word === undefined) throw new RangeError(`there is no word ${place}`);
  return word;
}

function checked(value: number, { min, max }: NumberRange): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${value} is not a whole number from ${min} to ${max}`);
}

const notHex = 0xff;
const hexDigits = '0123456789abcdef';
const hexValues = new Uint8Array(moreBit).fill(notHex);
for (const [value, digit] of [...hexDigits].entries()) hexValues[digit.charCodeAt(0)] = value;

/** In memory of at most `bytesMax` that the next call reuses. */
export function createByteWriter(bytesMax: number): (write: (to: ByteWriter) => void) => Buffer {
  const bytes = Buffer.alloc(bytesMax);
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytesMax) throw new RangeError(`more than ${bytesMax} bytes`);
    end += length;
    return end - length;
  };
  const number = (value: number, range: NumberRange): void => {
    let rest = checked(value, range);
    for (; rest > bitsMax; rest = Math.floor(rest / moreBit)) bytes[take(1)] = (rest % moreBit) + moreBit;
    for (; rest >= moreBit; rest >>>= 7) bytes[take(1)] = rest | moreBit;
    bytes[take(1)] = rest;
  };
  /** False, and nothing is written, unless it is short and ASCII. */
  const ascii = (value: string): boolean => {
    const { length } = value;
    if (length > asciiMax) return false;
    const from = end;
    take(length);
    for (let at = 0; at < length; at += 1) {
      const code = value.charCodeAt(at);
      if (code >= moreBit) return false;
      bytes[from + at] = code;
    }
    return true;
  };
  const writer: ByteWriter = {
    number,
    text(value) {
      const word = wordPlaces.get(value);
      if (word !== undefined) return number(2 * word + 1, lengthsAndWords);
      const from = end;
      number(2 * value.length, lengthsAndWords);
      if (ascii(value)) return;
      end = from;
      const length = Buffer.byteLength(value);
      number(2 * length, lengthsAndWords);
      bytes.write(value, take(length));
    },
    hex(digits) {
      const from = take(digits.length / 2);
      for (let at = from; at < end; at += 1) {
        const digit = 2 * (at - from);
        const high = hexValues[digits.charCodeAt(digit)] ?? notHex;
        const low = hexValues[digits.charCodeAt(digit + 1)] ?? notHex;
        if (high === notHex || low === notHex) throw new RangeError(`"${digits}" is not hexadecimal`);
        bytes[at] = high * 16 + low;
      }
    },
  };
  return (write) => {
    end = 0;
    write(writer);
    return bytes.subarray(0, end);
  };
}

function createByteReader() {
  let bytes: Buffer = Buffer.alloc(0);
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytes.length) throw new RangeError('too few bytes');
    end += length;
    return end - length;
  };
  const number: ByteReader['number'] = (range) => {
    let value = 0;
    let scale = 1;
    let byte = moreBit;
    for (; byte >= moreBit; scale *= moreBit) {
      byte = bytes[take(1)] as number;
      value += (byte % moreBit) * scale;
    }
    if (byte === 0 && scale > moreBit) throw new RangeError('a number longer than it need be');
    return checked(value, range);
  };
  const textOf = (length: number): string => {
    const text = bytes.subarray(take(length), end);
    if (!isUtf8(text)) throw new RangeError('a text that is not UTF-8');
    return text.toString();
  };
  const textOrWord = (): string => {
    const lengthOrWord = number(lengthsAndWords);
    if (lengthOrWord % 2 === 1) return wordAt((lengthOrWord - 1) / 2);
    const text = textOf(lengthOrWord / 2);
    if (wordPlaces.has(text)) throw new RangeError('a word that is written as a text');
    return text;
  };
  const reader: ByteReader = {
    number,
    text: textOrWord,
    hex(length) {
      const from = take(length);
      return bytes.toString('hex', from, from + length);
    },
  };
  return <T>(all: Buffer, read: (from: ByteReader) => T): T => {
    bytes = all;
    end = 0;
    const value = read(reader);
    if (end !== bytes.length) throw new RangeError(`${bytes.length - end} bytes too many`);
    return value;
  };
}

const reader = createByteReader();

/** Throws `RangeError` also if bytes are left. */
export const readBytes = <T>(bytes: Buffer, read: (from: ByteReader) => T): T => reader(bytes, read);
