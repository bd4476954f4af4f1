import { isUtf8 } from 'node:buffer';

const textBytesMax = 0xffff;
const lengthBytes = 2;

/** Whole numbers, both bounds included. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Bytes that `max` takes, 6 at most. */
  readonly bytes: number;
}

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

function checked(value: number, { min, max }: NumberRange): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${value} is not a whole number from ${min} to ${max}`);
}

/** In memory of at most `bytesMax` that the next call reuses. */
export function createByteWriter(bytesMax: number): (write: (to: ByteWriter) => void) => Buffer {
  const bytes = Buffer.alloc(bytesMax);
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytesMax) throw new RangeError(`more than ${bytesMax} bytes`);
    end += length;
    return end - length;
  };
  const packer: ByteWriter = {
    number(value, range) {
      bytes.writeUIntBE(checked(value, range), take(range.bytes), range.bytes);
    },
    text(value) {
      const length = Buffer.byteLength(value);
      if (length > textBytesMax) throw new RangeError(`a text of more than ${textBytesMax} bytes`);
      bytes.writeUInt16BE(length, take(lengthBytes));
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
    write(packer);
    return bytes.subarray(0, end);
  };
}

/** Throws `RangeError` also if bytes are left. */
export function readBytes<T>(bytes: Buffer, read: (from: ByteReader) => T): T {
  let end = 0;
  const take = (length: number): number => {
    if (end + length > bytes.length) throw new RangeError('too few bytes');
    end += length;
    return end - length;
  };
  const value = read({
    number: (range) => checked(bytes.readUIntBE(take(range.bytes), range.bytes), range),
    text() {
      const length = bytes.readUInt16BE(take(lengthBytes));
      const from = take(length);
      const text = bytes.subarray(from, from + length);
      if (!isUtf8(text)) throw new RangeError('a text that is not UTF-8');
      return text.toString();
    },
    hex(length) {
      const from = take(length);
      return bytes.toString('hex', from, from + length);
    },
  });
  if (end !== bytes.length) throw new RangeError(`${bytes.length - end} bytes too many`);
  return value;
}
