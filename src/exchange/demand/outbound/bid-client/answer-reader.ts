import { HeadReader, invalidLine } from './head-reader.ts';

export type Progress = 'more' | 'answer' | 'fault';

export interface AnswerBounds {
  /** Covers status line, headers, interim answers (1xx), chunk extensions and trailers. */
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
/** More than any body may have. */
const sizeDigitsMax = 8;
const sizeLineBytesMax = 256;
/** Chunk extensions (RFC 9112 section 7.1.1), thrown away. */
const extensions =
  /^[ \t]*(?:;[ \t]*[!#$%&'*+\-.^_`|~\dA-Za-z]+[ \t]*(?:=[ \t]*(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*")[ \t]*)?)*$/;
const noBytes = Buffer.alloc(0);
const firstCapacity = 4_096;

type Part = 'head' | 'counted' | 'toEnd' | 'size' | 'chunk' | 'afterChunk' | 'trailer' | 'done';

/** Read line by line; an incomplete line is held. */
const inLines: ReadonlySet<Part> = new Set<Part>(['head', 'size', 'trailer']);

function hexDigit(byte: number): number {
  if (byte >= zeroDigit && byte <= 0x39) return byte - zeroDigit;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function digitsAt(bytes: Buffer, at: number, end: number): number {
  let place = at;
  while (place < end && place - at <= sizeDigitsMax && hexDigit(bytes[place] ?? 0) !== -1) place += 1;
  return place - at;
}

/** Reads HTTP/1.1 and 1.0 answers strictly (reference, "Answers to bid calls"). No I/O: bytes are pushed. */
export class AnswerReader {
  readonly #bounds: AnswerBounds;
  readonly #head = new HeadReader();
  #part: Part = 'head';
  /** The beginning of an incomplete line. */
  #held: Buffer = noBytes;
  #headText = '';
  #headBytes = 0;
  #interims = 0;
  /** Whether the body ends with the connection. */
  #isToEnd = false;
  /** Bytes of the body or chunk still to come. */
  #left = 0;
  /** A body that came in one piece, not copied; else what came so far. */
  #view: Buffer | undefined;
  #copy = noBytes;
  #size = 0;
  fault = '';
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

  /** Value of `Keep-Alive`; undefined if the connection ends with the answer. */
  get keepAlive(): string | undefined {
    const { isHttp10, isKept, isLast, keepAlive } = this.#head;
    return isLast || this.#isToEnd || (isHttp10 && !isKept) ? undefined : keepAlive;
  }

  /** Latin-1. */
  get headText(): string {
    return this.#headText;
  }

  /** May be part of the last piece pushed; valid until the next one. */
  get body(): Buffer {
    return this.#view ?? this.#copy.subarray(0, this.#size);
  }

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

  /** Reads the bytes of `piece` before `end`. */
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

  /** The connection has ended. */
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

  /** The piece after what was held; undefined if the line is still incomplete. */
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

  /** Finds where the body ends (RFC 9112 section 6.3); false if that is not plain. */
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
    if (isChunked && contentLength !== -1) return 'content-length with transfer-encoding';
    if (mustBeEmpty && isChunked) return 'transfer-encoding';
    if (mustBeEmpty && contentLength > 0) return 'content-length';
    return status !== 304 && contentLength > this.#bounds.bodyBytesMax ? 'body' : undefined;
  }

  /** False if there are too many bytes besides bodies and chunk sizes. */
  #isWithinHead(bytes: number): boolean {
    this.#headBytes += bytes;
    return this.#headBytes <= this.#bounds.headBytesMax || this.#refuse('length of the head') !== invalidLine;
  }

  /** `1f CR LF` (RFC 9112 section 7.1). Extensions, and the blanks old servers pad with, are thrown away. */
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

  /** Where a chunk size's line ends; `end` if that has not come. */
  #endOfSize(bytes: Buffer, from: number, end: number): number {
    if (bytes[from] === carriageReturn) return from;
    if (bytes[from] !== semicolon && bytes[from] !== space && bytes[from] !== tab) return invalidLine;
    const found = bytes.subarray(0, Math.min(end, from + sizeLineBytesMax)).indexOf(carriageReturn, from);
    if (found === -1) return end - from < sizeLineBytesMax ? end : invalidLine;
    return extensions.test(bytes.toString('latin1', from, found)) ? found : invalidLine;
  }

  /** Trailer fields (RFC 9112 section 7.1.2), thrown away, and the empty line after them. */
  #readTrailer(bytes: Buffer, at: number, end: number): number {
    const next = this.#head.readLines(bytes, at, end);
    if (next === invalidLine) return this.#refuse('trailer');
    if (!this.#isWithinHead(next - at)) return invalidLine;
    if (this.#head.isWhole) this.#part = 'done';
    return next;
  }

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
