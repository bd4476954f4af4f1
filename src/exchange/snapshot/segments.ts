import { externalMemoryBallast } from '../external-memory-ballast.ts';

/** Shared memory, written once from its beginning on. */
export interface Segment {
  readonly number: number;
  readonly memory: SharedArrayBuffer;
  /** The same memory, as texts and as numbers. */
  readonly bytes: Buffer;
  readonly numbers: Float64Array;
  readonly weight: Uint8Array;
}

const alignment = Float64Array.BYTES_PER_ELEMENT;

/** On memory that this or another thread has made. */
export function segmentOn(number: number, memory: SharedArrayBuffer): Segment {
  const [bytes, numbers] = [Buffer.from(memory), new Float64Array(memory)];
  return { number, memory, bytes, numbers, weight: externalMemoryBallast(memory.byteLength) };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

export interface Location {
  readonly segment: Segment;
  /** Bytes from the segment's beginning, a multiple of eight. */
  readonly at: number;
}

/** Allocates from one segment after the other; what is longer gets its own. */
export function createSegments(segmentBytes: number) {
  let number = 0;
  let used = 0;
  let segment: Segment | undefined;
  return {
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
    /** Whether more is written to it. */
    isOpen: (one: Segment) => one === segment,
  };
}
