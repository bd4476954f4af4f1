import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { randomSeed, seededHash } from '../../shared/hash.ts';
import { sharedBytes, sharedNumbers, sharedWords } from './shared-array.ts';

export interface TextMemory {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Where each entry begins in `bytes`, and the last one ends. */
  readonly starts: Uint32Array;
  /** Two numbers a slot: hash, entry + 1; 0 = free. */
  readonly slots: Int32Array;
}

export interface TextTable {
  readonly size: number;
  /** `text` from `start` to its end, with its hash; -1 if it is not in the set. */
  find(text: string, start: number, hash: number): number;
  text(entry: number): string;
}

/** Texts in one byte array with a hash table: about 40 bytes an entry. Up to U+00FF; `byteText` for others. */
export interface TextTableBuilder {
  readonly size: number;
  /** The text's number in the order of adding; adds a new one. */
  add(text: string): number;
  memory(): TextMemory;
}

const hashStartName = 'bourse: hash of list entries';

/** Random, so that nobody can choose texts that collide. Threads, which share tables, get their parent's. */
export const hashStart = Number(getEnvironmentData(hashStartName) ?? randomSeed());
setEnvironmentData(hashStartName, hashStart);

export const hashOf = (text: string): number => seededHash(hashStart, text);

const beyondBytes = /[^\0-\x7f]/;

/** UTF-8 bytes, one character each; ASCII stays as it is. */
export function byteText(text: string): string {
  return beyondBytes.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

function grown<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, to: Numbers): Numbers {
  to.set(numbers);
  return to;
}

function doubled(slots: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(slots.length * 2);
  const mask = more.length - 2;
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] === 0) continue;
    let slot = ((slots[at] ?? 0) << 1) & mask;
    while (more[slot + 1] !== 0) slot = (slot + 2) & mask;
    more[slot] = slots[at] ?? 0;
    more[slot + 1] = slots[at + 1] ?? 0;
  }
  return more;
}

function isEntry({ bytes, starts }: TextMemory, entry: number, text: string, start: number): boolean {
  const first = starts[entry] as number;
  const length = (starts[entry + 1] as number) - first;
  if (text.length - start !== length) return false;
  for (let at = 0; at < length; at += 1) {
    if (bytes[first + at] !== text.charCodeAt(start + at)) return false;
  }
  return true;
}

function slotOf(memory: TextMemory, text: string, start: number, hash: number): number {
  const { slots } = memory;
  const mask = slots.length - 2;
  for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
    const entry = (slots[slot + 1] as number) - 1;
    if (entry === -1 || (slots[slot] === hash && isEntry(memory, entry, text, start))) return slot;
  }
}

/** On memory that this or another thread has compiled. */
export function textTableOn(memory: TextMemory): TextTable {
  const { size, bytes, starts, slots } = memory;
  const { buffer, byteOffset } = bytes;
  return {
    size,
    find: (text, start, hash) => (slots[slotOf(memory, text, start, hash) + 1] as number) - 1,
    text(entry) {
      const [from, to] = [starts[entry] as number, starts[entry + 1] as number];
      return Buffer.from(buffer, byteOffset + from, to - from).toString('utf8');
    },
  };
}

export function createTextTable(): TextTableBuilder {
  const memory = {
    size: 0,
    bytes: new Uint8Array(256),
    starts: new Uint32Array(17),
    slots: new Int32Array(64),
  };

  const append = (text: string) => {
    const { size } = memory;
    const end = memory.starts[size] as number;
    while (end + text.length > memory.bytes.length)
      memory.bytes = grown(memory.bytes, new Uint8Array(memory.bytes.length * 2));
    if (size + 2 > memory.starts.length)
      memory.starts = grown(memory.starts, new Uint32Array(memory.starts.length * 2));
    for (let at = 0; at < text.length; at += 1) memory.bytes[end + at] = text.charCodeAt(at);
    memory.size += 1;
    memory.starts[memory.size] = end + text.length;
  };

  return {
    get size() {
      return memory.size;
    },
    add(text) {
      const hash = hashOf(text);
      const slot = slotOf(memory, text, 0, hash);
      const known = (memory.slots[slot + 1] as number) - 1;
      if (known !== -1) return known;
      append(text);
      memory.slots[slot] = hash;
      memory.slots[slot + 1] = memory.size;
      if (memory.size * 4 > memory.slots.length) memory.slots = doubled(memory.slots);
      return memory.size - 1;
    },
    memory() {
      const { size, bytes, starts, slots } = memory;
      return {
        size,
        bytes: sharedBytes(bytes.subarray(0, starts[size])),
        starts: sharedWords(starts.subarray(0, size + 1)),
        slots: sharedNumbers(slots),
      };
    },
  };
}
