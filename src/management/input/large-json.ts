import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '../../fields/fault.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { assertUtf8, parseJsonText, withoutByteOrderMark } from './json-body.ts';

export interface LargeJsonOptions {
  /** Outside of texts, without white space. */
  readonly structureBytesMax: number;
  /** Awaited every few milliseconds. */
  readonly pause: () => Promise<unknown>;
}

const [space, quote, colon, backslash, letterU] = [0x20, 0x22, 0x3a, 0x5c, 0x75];
const sliceBytes = 64 * 1024;
const hashedBytesPerSlice = 1024 * 1024;
/** Deeper than any long text of ours: what lies below is refused anyway. */
const depthMax = 8;

/** Where it ends, and where its pieces begin, never within a character or an escape. */
interface LongText {
  readonly pieces: readonly number[];
  readonly end: number;
}

const isInCharacter = (byte: number) => (byte & 0xc0) === 0x80;

/** From `from`; yields after each slice. */
function* scanText(bytes: Buffer, from: number): Generator<undefined, LongText> {
  const pieces = [from];
  let sliceEnd = from + sliceBytes;
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) break;
    if (at >= sliceEnd && !isInCharacter(byte)) {
      pieces.push(at);
      sliceEnd = at + sliceBytes;
      yield;
    }
    // Keeps \u00e9's digits together; a malformed escape is found when the piece is parsed.
    if (byte === backslash) at += bytes[at + 1] === letterU ? 5 : 1;
  }
  return { pieces, end: Math.min(at, bytes.length) };
}

/** Names are left where they are. */
function isName(bytes: Buffer, end: number): boolean {
  let at = end + 1;
  while (at < bytes.length && (bytes[at] as number) <= space) at += 1;
  return bytes[at] === colon;
}

/** Of more than one piece. Refuses too much JSON outside of all texts. */
function* scan(bytes: Buffer, structureBytesMax: number): Generator<undefined, readonly LongText[]> {
  const long: LongText[] = [];
  let beside = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (at % sliceBytes === 0) yield;
    if (byte === quote) {
      const text = yield* scanText(bytes, at + 1);
      if (text.pieces.length > 1 && !isName(bytes, text.end)) long.push(text);
      at = text.end;
    } else if (byte > space) beside += 1;
    if (beside > structureBytesMax) {
      const mebibytes = structureBytesMax / 1024 / 1024;
      throw new Refusal(
        'too_large',
        `Apart from quoted texts, the body contains more than ${mebibytes} MiB of JSON; send less at a time`,
      );
    }
  }
  return long;
}

/** In place, piece by piece, so that it is in memory once. */
function* decoded(bytes: Buffer, { pieces, end }: LongText): Generator<undefined, string> {
  const [first = 0] = pieces;
  const kept: string[] = [];
  let writtenTo = first;
  for (const [index, from] of pieces.entries()) {
    const piece = String(parseJsonText(`"${bytes.toString('utf8', from, pieces[index + 1] ?? end)}"`));
    if (kept.length === 0 && piece.isWellFormed()) writtenTo += bytes.write(piece, writtenTo);
    else kept.push(piece);
    yield;
  }
  return bytes.toString('utf8', first, writtenTo) + kept.join('');
}

function shortened(bytes: Buffer, long: readonly LongText[], nameOf: (index: number) => string): string {
  let after = 0;
  const parts = long.map(({ pieces: [from = 0], end }, index) => {
    const before = bytes.subarray(after, from);
    after = end;
    return before.toString('utf8') + nameOf(index);
  });
  return withoutByteOrderMark(parts.join('') + bytes.toString('utf8', after));
}

function restore(value: unknown, texts: Map<string, string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    if (texts.size === 0) return;
    const member = ownMember(holder, key);
    const text = typeof member === 'string' ? texts.get(member) : undefined;
    if (text === undefined) restore(member, texts, depth + 1);
    else {
      setOwnMember(holder, key, text);
      texts.delete(member as string);
    }
  }
}

async function inSlices<T>(work: Generator<undefined, T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * Without blocking: long texts are cut out and parsed piecewise. Refuses like `readJsonBody`, and with `too_large` too
 * many bytes outside of texts. Of repeated members the last counts (reference, W16). Uses up the bytes.
 */
export async function readLargeJson(
  bytes: Buffer,
  { structureBytesMax, pause }: LargeJsonOptions,
): Promise<unknown> {
  assertUtf8(bytes);
  const long = await inSlices(scan(bytes, structureBytesMax), pause);
  const nonce = randomUUID();
  const nameOf = (index: number) => `${nonce}/${index}`;
  const value = parseJsonText(shortened(bytes, long, nameOf));
  const texts = new Map<string, string>();
  for (const [index, text] of long.entries()) {
    texts.set(nameOf(index), await inSlices(decoded(bytes, text), pause));
  }
  restore(value, texts);
  return value;
}

export async function hashLarge(bytes: Buffer, pause: () => Promise<unknown>): Promise<Buffer> {
  const sum = createHash('sha256');
  for (let from = 0; from < bytes.length; from += hashedBytesPerSlice) {
    sum.update(bytes.subarray(from, from + hashedBytesPerSlice));
    await pause();
  }
  return sum.digest();
}
