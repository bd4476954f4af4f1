import { faulty, HeadReader } from './head-reader.ts';

/** How far an answer is read: not to its end, to its end, or it is not valid. */
export type Progress = 'more' | 'answer' | 'fault';

/** Longest answer that is read. */
export interface AnswerBounds {
  /** Of status line and headers, those of interim answers (1xx) included. */
  readonly headBytesMax: number;
  /** Of the body as it comes. */
  readonly bodyBytesMax: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const zeroDigit = 0x30;
const interimMax = 8;
/** Digits of a chunk's size: more than any body may have. */
const sizeDigitsMax = 8;
const noBytes = Buffer.alloc(0);
const firstCapacity = 4_096;

type Part = 'head' | 'counted' | 'toEnd' | 'size' | 'chunk' | 'afterChunk' | 'afterLast' | 'done';

function hexDigit(byte: number): number {
  if (byte >= zeroDigit && byte <= 0x39) return byte - zeroDigit;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/**
 * Reads answers of HTTP/1.1 and 1.0, one after the other, from bytes in any pieces, and takes only what is plainly valid
 * (docs/decisions.md, answers to bid calls). No I/O: whoever has the connection pushes what it gets.
 */
export class AnswerReader {
  readonly #bounds: AnswerBounds;
  readonly #head = new HeadReader();
  #part: Part = 'head';
  /** The beginning of a line of which the rest has not come. */
  #held: Buffer = noBytes;
  #headText = '';
  #headBytes = 0;
  #interims = 0;
  /** Whether the end of the connection is the end of the body. */
  #isToEnd = false;
  /** Bytes of the body, or of its chunk, that have not come. */
  #left = 0;
  /** A body that came whole in one piece, which is not copied; else what came of it so far. */
  #view: Buffer | undefined;
  #copy = noBytes;
  #size = 0;
  /** What is not valid, where something is. */
  fault = '';
  /** Whether bytes came after the end of the answer. */
  hasRest = false;
  isUntouched = true;

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
  }

  get status(): number {
    return this.#head.status;
  }

  get contentType(): string {
    return this.#head.contentType;
  }

  get contentEncoding(): string {
    return this.#head.contentEncoding;
  }

  /** Value of `Keep-Alive`; undefined where the connection ends with the answer. */
  get keepAlive(): string | undefined {
    const { isHttp10, isKept, isLast, keepAlive } = this.#head;
    return isLast || this.#isToEnd || (isHttp10 && !isKept) ? undefined : keepAlive;
  }

  /** Status line and headers as they came, in Latin-1. */
  get headText(): string {
    return this.#headText;
  }

  /** The body as it came. It may be a part of the piece that was pushed last, and holds only until the next one. */
  get body(): Buffer {
    return this.#view ?? this.#copy.subarray(0, this.#size);
  }

  /** Gets ready for the next answer of the connection. */
  reset(): void {
    this.#head.reset();
    this.#part = 'head';
    this.#held = noBytes;
    this.#headText = '';
    this.#headBytes = 0;
    this.#interims = 0;
    this.#isToEnd = false;
    this.#view = undefined;
    this.#copy = noBytes;
    this.#size = 0;
    this.isUntouched = true;
  }

  /** Reads the next bytes: those of `piece` before `end`. */
  push(piece: Buffer, end: number = piece.length): Progress {
    this.isUntouched &&= end === 0;
    const bytes = this.#withHeld(piece, end);
    if (bytes === undefined) return this.fault === '' ? 'more' : 'fault';
    const length = bytes === piece ? end : bytes.length;
    let at = 0;
    while (at < length && this.#part !== 'done') {
      const next = this.#read(bytes, at, length);
      if (next === faulty) return 'fault';
      // A line that is not whole is kept.
      if (next === at && (this.#part === 'head' || this.#part === 'size'))
        return this.#hold(bytes, at, length);
      at = next;
    }
    if (this.#part === 'done') {
      this.hasRest = at < length;
      return 'answer';
    }
    if (this.#view !== undefined) this.#keep(noBytes, 0, 0);
    return 'more';
  }

  /** Takes note that the connection has ended. */
  end(): Progress {
    if (this.#part === 'toEnd') this.#part = 'done';
    if (this.#part === 'done') return 'answer';
    this.#refuse('cut short');
    return 'fault';
  }

  #refuse(part: string): typeof faulty {
    this.fault = part;
    return faulty;
  }

  /** The piece, after what was held; undefined where a line is still not whole. */
  #withHeld(piece: Buffer, end: number): Buffer | undefined {
    if (this.#held.length === 0) return piece;
    const bytes = Buffer.concat([this.#held, piece.subarray(0, end)]);
    this.#held = noBytes;
    if (piece.subarray(0, end).includes(lineFeed)) return bytes;
    this.#hold(bytes, 0, bytes.length);
    return undefined;
  }

  #hold(bytes: Buffer, at: number, end: number): Progress {
    const max = this.#part === 'head' ? this.#bounds.headBytesMax - this.#headBytes : sizeDigitsMax + 1;
    if (end - at > max) {
      this.#refuse(this.#part === 'head' ? 'length of the head' : 'chunk size');
      return 'fault';
    }
    if (this.#view !== undefined) this.#keep(noBytes, 0, 0);
    this.#held = Buffer.from(bytes.subarray(at, end));
    return 'more';
  }

  #read(bytes: Buffer, at: number, end: number): number {
    switch (this.#part) {
      case 'head':
        return this.#readHead(bytes, at, end);
      case 'size':
        return this.#readSize(bytes, at, end);
      case 'afterChunk':
        return this.#readLineEnd(bytes, at, 'size');
      case 'afterLast':
        return this.#readLineEnd(bytes, at, 'done');
      default:
        return this.#readBody(bytes, at, end);
    }
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const next = this.#head.readLines(bytes, at, end);
    if (next === faulty) return this.#refuse(this.#head.fault);
    this.#headText += bytes.toString('latin1', at, next);
    this.#headBytes += next - at;
    if (this.#headBytes > this.#bounds.headBytesMax) return this.#refuse('length of the head');
    return !this.#head.isWhole || this.#begin() ? next : faulty;
  }

  /** Finds where the body ends (RFC 9112 section 6.3), after the head; false where that is not plain. */
  #begin(): boolean {
    const { status, isChunked, contentLength, isHttp10 } = this.#head;
    const isInterim = status < 200;
    const hasNone = isInterim || status === 204 || status === 304;
    const fault = this.#framingFault(isInterim || status === 204);
    if (fault !== undefined) return this.#refuse(fault) !== faulty;
    if (isInterim) {
      this.#interims += 1;
      this.#headText = '';
      this.#head.reset();
      return true;
    }
    if (isChunked && (hasNone || isHttp10)) return this.#refuse('transfer-encoding') !== faulty;
    this.#left = contentLength;
    this.#isToEnd = !hasNone && !isChunked && contentLength === -1;
    if (hasNone || contentLength === 0) this.#part = 'done';
    else if (isChunked) this.#part = 'size';
    else this.#part = this.#isToEnd ? 'toEnd' : 'counted';
    return true;
  }

  #framingFault(mustBeEmpty: boolean): string | undefined {
    const { status, isChunked, isHttp10, isLast, contentLength } = this.#head;
    if (status === 101) return 'upgrade';
    const isOdd = isLast || isHttp10 || this.#interims === interimMax;
    if (status < 200 && isOdd) return 'interim answers';
    if (isChunked && contentLength !== -1) return 'content-length beside transfer-encoding';
    if (mustBeEmpty && isChunked) return 'transfer-encoding';
    if (mustBeEmpty && contentLength > 0) return 'content-length';
    return status !== 304 && contentLength > this.#bounds.bodyBytesMax ? 'body' : undefined;
  }

  /** `1f CR LF`: no extension, no space, nothing before or after (RFC 9112 section 7.1). */
  #readSize(bytes: Buffer, at: number, end: number): number {
    let place = at;
    let size = 0;
    for (; place < end; place += 1) {
      const digit = hexDigit(bytes[place] ?? 0);
      if (digit === -1) break;
      size = size * 16 + digit;
      if (place - at >= sizeDigitsMax) return this.#refuse('chunk size');
    }
    if (place === end) return at;
    if (place === at || bytes[place] !== carriageReturn) return this.#refuse('chunk size');
    if (place + 1 === end) return at;
    if (bytes[place + 1] !== lineFeed) return this.#refuse('chunk size');
    if (this.#size + size > this.#bounds.bodyBytesMax) return this.#refuse('body');
    this.#left = size;
    this.#part = size === 0 ? 'afterLast' : 'chunk';
    return place + 2;
  }

  /** CR LF, in one piece or two. After the last chunk it ends the answer: trailers are not taken. */
  #readLineEnd(bytes: Buffer, at: number, next: 'size' | 'done'): number {
    const wanted = this.#left === 0 ? carriageReturn : lineFeed;
    if (bytes[at] !== wanted) return this.#refuse(next === 'done' ? 'trailer' : 'chunk');
    this.#left = this.#left === 0 ? 1 : 0;
    if (this.#left === 0) this.#part = next;
    return at + 1;
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    const isToEnd = this.#part === 'toEnd';
    const taken = isToEnd ? end - at : Math.min(end - at, this.#left);
    if (this.#size + taken > this.#bounds.bodyBytesMax) return this.#refuse('body');
    if (this.#size === 0 && !isToEnd && taken === this.#left) this.#view = bytes.subarray(at, at + taken);
    else this.#keep(bytes, at, taken);
    this.#size += taken;
    if (isToEnd) return end;
    this.#left -= taken;
    if (this.#left === 0) this.#part = this.#part === 'counted' ? 'done' : 'afterChunk';
    return at + taken;
  }

  /** Copies bytes of the body, after those that came before. */
  #keep(bytes: Buffer, at: number, length: number): void {
    const view = this.#view;
    this.#view = undefined;
    const before = this.#size;
    if (this.#copy.length < before + length) {
      const capacity = Math.max(firstCapacity, this.#copy.length * 2, before + length);
      const larger = Buffer.allocUnsafe(Math.min(capacity, this.#bounds.bodyBytesMax));
      this.#copy.copy(larger, 0, 0, view === undefined ? before : 0);
      this.#copy = larger;
    }
    view?.copy(this.#copy, 0);
    bytes.copy(this.#copy, before, at, at + length);
  }
}
