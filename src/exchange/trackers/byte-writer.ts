import { isUtf8 } from 'node:buffer';
import { tokenWords } from './token-words.ts';

const textBytesMax = 0xffff;
/** A byte of a short number has seven bits of it, lowest first; this bit says that more follow. */
const moreBit = 0x80;

/**
 * `fixed`: numbers as wide as their range, texts behind their length. `short`: numbers as long as they need be (LEB128),
 * texts behind twice their length, words as twice their place and 1.
 */
export type ByteForm = 'fixed' | 'short';

/** Whole numbers, both bounds included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Bytes that `max` takes, 6 at most. */
  readonly bytes: number;
}

const lengths: NumberRange = { bytes: 2, min: 0, max: textBytesMax };
const lengthsAndWords: NumberRange = { bytes: 3, min: 0, max: 2 * textBytesMax };

/** Values in self-delimiting form. Throws `RangeError` for one out of range. */
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

/** In memory of at most `bytesMax` that the next call reuses. */
export function createByteWriter(
  bytesMax: number,
  form: ByteForm,
): (write: (to: ByteWriter) => void) => Buffer {
  const bytes = Buffer.alloc(bytesMax);
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytesMax) throw new RangeError(`more than ${bytesMax} bytes`);
    end += length;
    return end - length;
  };
  const fixed: ByteWriter['number'] = (value, range) => {
    bytes.writeUIntBE(checked(value, range), take(range.bytes), range.bytes);
  };
  const short: ByteWriter['number'] = (value, range) => {
    let rest = checked(value, range);
    for (; rest >= moreBit; rest = Math.floor(rest / moreBit)) bytes[take(1)] = (rest % moreBit) + moreBit;
    bytes[take(1)] = rest;
  };
  const isShort = form === 'short';
  const writer: ByteWriter = {
    number: isShort ? short : fixed,
    text(value) {
      const word = isShort ? wordPlaces.get(value) : undefined;
      if (word !== undefined) return short(2 * word + 1, lengthsAndWords);
      const length = Buffer.byteLength(value);
      if (isShort) short(2 * length, lengthsAndWords);
      else fixed(length, lengths);
      bytes.write(value, take(length));
    },
    hex(digits) {
      const at = take(digits.length / 2);
      const written = bytes.write(digits, at, 'hex');
      if (written * 2 !== digits.length) throw new RangeError(`"${digits}" is not hexadecimal`);
    },
  };
  return (write) => {
    end = 0;
    write(writer);
    return bytes.subarray(0, end);
  };
}

function createByteReader(form: ByteForm) {
  let bytes: Buffer = Buffer.alloc(0);
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytes.length) throw new RangeError('too few bytes');
    end += length;
    return end - length;
  };
  const fixed: ByteReader['number'] = (range) =>
    checked(bytes.readUIntBE(take(range.bytes), range.bytes), range);
  const short: ByteReader['number'] = (range) => {
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
    const number = short(lengthsAndWords);
    if (number % 2 === 1) return wordAt((number - 1) / 2);
    const text = textOf(number / 2);
    if (wordPlaces.has(text)) throw new RangeError('a word that is written as a text');
    return text;
  };
  const isShort = form === 'short';
  const reader: ByteReader = {
    number: isShort ? short : fixed,
    text: isShort ? textOrWord : () => textOf(fixed(lengths)),
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

const readers = { fixed: createByteReader('fixed'), short: createByteReader('short') };

/** Throws `RangeError` also if bytes are left. */
export const readBytes = <T>(bytes: Buffer, form: ByteForm, read: (from: ByteReader) => T): T =>
  readers[form](bytes, read);
