import { crc32 } from 'node:zlib';

/** Length and CRC-32 of what follows, four bytes each. */
const headBytes = 8;
/** A greater length is damage. */
export const recordBytesMax = 32 * 1024 * 1024;

export function frameOf(record: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + record.length);
  frame.writeUInt32LE(record.length, 0);
  frame.writeUInt32LE(crc32(record), 4);
  frame.set(record, headBytes);
  return frame;
}

/** With where it ends. */
export interface FramedRecord {
  readonly record: Buffer;
  readonly end: number;
}

/** Up to the first incomplete one. */
export function framesIn(bytes: Buffer): FramedRecord[] {
  const frames: FramedRecord[] = [];
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const begin = at + headBytes;
    const end = begin + bytes.readUInt32LE(at);
    if (end > bytes.length || end - begin > recordBytesMax) break;
    const record = bytes.subarray(begin, end);
    if (crc32(record) !== bytes.readUInt32LE(at + 4)) break;
    frames.push({ record, end });
    at = end;
  }
  return frames;
}
