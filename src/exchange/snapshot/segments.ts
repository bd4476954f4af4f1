import { externalMemoryBallast } from '../external-memory-ballast.ts';

/** A piece of shared memory that is written once, from its beginning on; whoever has it may read what is written. */
export interface Segment {
  /** Number of the segment, by which threads that share it name it. */
  readonly number: number;
  readonly memory: SharedArrayBuffer;
  /** The same memory, as texts and as numbers. */
  readonly bytes: Buffer;
  readonly numbers: Float64Array;
  readonly weight: Uint8Array;
}

const alignment = Float64Array.BYTES_PER_ELEMENT;

/** A segment on memory that this or another thread has made. */
export function segmentOn(number: number, memory: SharedArrayBuffer): Segment {
  const [bytes, numbers] = [Buffer.from(memory), new Float64Array(memory)];
  return { number, memory, bytes, numbers, weight: externalMemoryBallast(memory.byteLength) };
}

/** So many bytes, rounded up to where the next number may lie. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

export interface Location {
  readonly segment: Segment;
  /** Bytes from the beginning of the segment, a multiple of eight. */
  readonly at: number;
}

/** Gives out room in segments of so many bytes, one after the other; what is longer has a segment of its own. */
export function createSegments(segmentBytes: number) {
  let number = 0;
  let used = 0;
  let segment: Segment | undefined;
  return {
    /** Room for so many bytes, which nobody else is given. */
    take(bytes: number): Location {
      if (!segment || used + bytes > segment.memory.byteLength) {
        segment = segmentOn(number, new SharedArrayBuffer(Math.max(segmentBytes, aligned(bytes))));
        number += 1;
        used = 0;
      }
      const room = { segment, at: used };
      used = aligned(used + bytes);
      return room;
    },
    /** Whether more is written to a segment. */
    isOpen: (one: Segment) => one === segment,
  };
}
