import { HeadReader, invalidLine } from './head-reader.ts';

/** How far an answer is read: not to its end, to its end, or it is not valid. */
export type Progress = 'more' | 'answer' | 'fault';

export interface AnswerBounds {
  /** Of status line and headers, those of interim answers (1xx), extensions of chunks and trailers included. */
  readonly headBytesMax: number;
  readonly bodyBytesMax: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
const zeroDigit = 0x30;
const interimMax = 8;
/** Digits of a chunk's size: more than any body may have. */
const sizeDigitsMax = 8;
const sizeLineBytesMax = 256;
/** What may stand behind a chunk's size (RFC 9112 section 7.1.1), without the end of its line. Thrown away. */
const extensions =
  /^[ \t]*(?:;[ \t]*[!#$%&'*+\-.^_`|~\dA-Za-z]+[ \t]*(?:=[ \t]*(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*")[ \t]*)?)*$/;
const noBytes = Buffer.alloc(0);
const firstCapacity = 4_096;

type Part = 'head' | 'counted' | 'toEnd' | 'size' | 'chunk' | 'afterChunk' | 'trailer' | 'done';

/** Parts that are read line by line: a line that is not whole is kept. */
const inLines: ReadonlySet<Part> = new Set<Part>(['head', 'size', 'trailer']);

function hexDigit(byte: number): number {
  if (byte >= zeroDigit && byte <= 0x39) return byte - zeroDigit;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** How many hexadecimal digits follow, as far as it matters. */
function digitsAt(bytes: Buffer, at: number, end: number): number {
  let place = at;
  while (place < end && place - at <= sizeDigitsMax && hexDigit(bytes[place] ?? 0) !== -1) place += 1;
  return place - at;
}

/**
 * Reads answers of HTTP/1.1 and 1.0, one after the other, from bytes in any pieces, and takes only what is plainly valid
 * (reference, "Answers to bid calls"). No I/O: whoever has the connection pushes what it gets.
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
      if (next === invalidLine) return 'fault';
      if (next === at && inLines.has(this.#part)) return this.#hold(bytes, at, length);
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

  #refuse(part: string): typeof invalidLine {
    this.fault = part;
    return invalidLine;
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
    const isSize = this.#part === 'size';
    const max = isSize ? sizeLineBytesMax : this.#bounds.headBytesMax - this.#headBytes;
    const hasManyDigits = isSize && digitsAt(bytes, at, end) > sizeDigitsMax;
    if (end - at > max || hasManyDigits) {
      this.#refuse(isSize ? 'chunk size' : 'length of the head');
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
        return this.#readLineEnd(bytes, at);
      case 'trailer':
        return this.#readTrailer(bytes, at, end);
      default:
        return this.#readBody(bytes, at, end);
    }
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const next = this.#head.readLines(bytes, at, end);
    if (next === invalidLine) return this.#refuse(this.#head.fault);
    this.#headText += bytes.toString('latin1', at, next);
    if (!this.#isWithinHead(next - at)) return invalidLine;
    return !this.#head.isWhole || this.#begin() ? next : invalidLine;
  }

  /** Finds where the body ends (RFC 9112 section 6.3), after the head; false where that is not plain. */
  #begin(): boolean {
    const { status, isChunked, contentLength, isHttp10 } = this.#head;
    const isInterim = status < 200;
    const hasNone = isInterim || status === 204 || status === 304;
    const fault = this.#framingFault(isInterim || status === 204);
    if (fault !== undefined) return this.#refuse(fault) !== invalidLine;
    if (isInterim) {
      this.#interims += 1;
      this.#headText = '';
      this.#head.reset();
      return true;
    }
    if (isChunked && (hasNone || isHttp10)) return this.#refuse('transfer-encoding') !== invalidLine;
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

  /** Counts bytes that are neither body nor sizes of chunks; false where there are too many. */
  #isWithinHead(bytes: number): boolean {
    this.#headBytes += bytes;
    return this.#headBytes <= this.#bounds.headBytesMax || this.#refuse('length of the head') !== invalidLine;
  }

  /** `1f CR LF` (RFC 9112 section 7.1). Extensions, and the blanks with which old servers pad sizes, are thrown away. */
  #readSize(bytes: Buffer, at: number, end: number): number {
    const digits = digitsAt(bytes, at, end);
    if (digits > sizeDigitsMax) return this.#refuse('chunk size');
    const place = at + digits;
    if (place === end) return at;
    if (place === at) return this.#refuse('chunk size');
    const lineEnd = this.#endOfSize(bytes, place, end);
    if (lineEnd === invalidLine) return this.#refuse('chunk size');
    if (lineEnd + 1 >= end) return at;
    if (bytes[lineEnd + 1] !== lineFeed) return this.#refuse('chunk size');
    let size = 0;
    for (let index = at; index < place; index += 1) size = size * 16 + hexDigit(bytes[index] ?? 0);
    if (this.#size + size > this.#bounds.bodyBytesMax) return this.#refuse('body');
    if (!this.#isWithinHead(lineEnd - place)) return invalidLine;
    this.#left = size;
    if (size === 0) this.#head.beginTrailer();
    this.#part = size === 0 ? 'trailer' : 'chunk';
    return lineEnd + 2;
  }

  /** Where the line of a chunk's size ends, after what may stand behind the size; `end` where its end has not come. */
  #endOfSize(bytes: Buffer, from: number, end: number): number {
    if (bytes[from] === carriageReturn) return from;
    if (bytes[from] !== semicolon && bytes[from] !== space && bytes[from] !== tab) return invalidLine;
    const found = bytes.subarray(0, Math.min(end, from + sizeLineBytesMax)).indexOf(carriageReturn, from);
    if (found === -1) return end - from < sizeLineBytesMax ? end : invalidLine;
    return extensions.test(bytes.toString('latin1', from, found)) ? found : invalidLine;
  }

  /** Fields after the last chunk (RFC 9112 section 7.1.2), which are thrown away, and the empty line behind them. */
  #readTrailer(bytes: Buffer, at: number, end: number): number {
    const next = this.#head.readLines(bytes, at, end);
    if (next === invalidLine) return this.#refuse('trailer');
    if (!this.#isWithinHead(next - at)) return invalidLine;
    if (this.#head.isWhole) this.#part = 'done';
    return next;
  }

  /** CR LF after a chunk, in one piece or two. */
  #readLineEnd(bytes: Buffer, at: number): number {
    const wanted = this.#left === 0 ? carriageReturn : lineFeed;
    if (bytes[at] !== wanted) return this.#refuse('chunk');
    this.#left = this.#left === 0 ? 1 : 0;
    if (this.#left === 0) this.#part = 'size';
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
