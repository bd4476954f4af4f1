import { withoutBlanks } from './answer-headers.ts';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const colon = 0x3a;
const zero = 0x30;
/** Lowers upper-case letters and turns no other byte of a name into a letter. */
const lowerCase = 0x20;

/** Returned by `readLines` for an invalid line. */
export const invalidLine = -1;

/** A body is bounded far below this. */
const lengthDigitsMax = 15;

const bytesIn = (isIn: (byte: number) => boolean) => Uint8Array.from({ length: 256 }, (_, n) => +isIn(n));
/** RFC 9110 section 5.6.2, token. */
const isName = bytesIn((byte) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(byte)));
/** Bytes of a field's value and of a reason phrase (RFC 9110 section 5.5, RFC 9112 section 4). */
const isText = bytesIn((byte) => byte === tab || (byte >= space && byte !== 0x7f));

const lineEndLength = 2;
const version = Buffer.from('HTTP/1.');
/** After `HTTP/1.`: digit, space, three digits, CR, LF. */
const shortestRest = 7;
const codes = (name: string): Uint8Array => Buffer.from(name);

/** The fields that say how long an answer is, and how it is to be read. */
type KnownHeader =
  | 'contentLength'
  | 'transferEncoding'
  | 'connection'
  | 'keepAlive'
  | 'contentType'
  | 'contentEncoding';
const knownNames: readonly (readonly [KnownHeader, Uint8Array])[] = [
  ['contentLength', codes('content-length')],
  ['transferEncoding', codes('transfer-encoding')],
  ['connection', codes('connection')],
  ['keepAlive', codes('keep-alive')],
  ['contentType', codes('content-type')],
  ['contentEncoding', codes('content-encoding')],
];
/** A trailer must not have them (RFC 9110 section 6.5.1): they would change where the answer ends. */
const framing: ReadonlySet<KnownHeader> = new Set<KnownHeader>(['contentLength', 'transferEncoding']);
const nameLengthMax = 17;
const knownByLength = Array.from({ length: nameLengthMax + 1 }, (_, length) =>
  knownNames.filter(([, name]) => name.length === length),
);

function isSame(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let n = 0; n < name.length; n += 1) if (((bytes[at + n] ?? 0) | lowerCase) !== name[n]) return false;
  return true;
}

function knownAt(bytes: Uint8Array, at: number, length: number): KnownHeader | undefined {
  if (length > nameLengthMax) return undefined;
  for (const [known, name] of knownByLength[length] ?? []) if (isSame(bytes, at, name)) return known;
  return undefined;
}

const digitAt = (bytes: Uint8Array, at: number): number => {
  const digit = (bytes[at] ?? 0) - zero;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
};

/** The number that three digits are, 0 where they are none. */
const statusAt = (bytes: Uint8Array, at: number): number =>
  digitAt(bytes, at) * 100 + digitAt(bytes, at + 1) * 10 + digitAt(bytes, at + 2) || 0;

/** Whether the bytes begin as wanted, as far as they are there. */
function beginsAs(wanted: Uint8Array, bytes: Uint8Array, at: number, end: number): boolean {
  for (let n = 0; n < wanted.length && at + n < end; n += 1) if (bytes[at + n] !== wanted[n]) return false;
  return true;
}

/** Whether a comma-separated value has a member (RFC 9110 section 5.6.1), in any case. */
const hasMember = (value: string, member: string) =>
  value.split(',').some((one) => withoutBlanks(one).toLowerCase() === member);

/**
 * Reads the head of an answer: the status line and the fields (RFC 9112 sections 4 and 5), and takes only what is valid.
 * Lines end with CR LF, a field is on one line, nothing is between its name and the colon.
 */
export class HeadReader {
  status = 0;
  isHttp10 = false;
  /** -1 = none. */
  contentLength = -1;
  isChunked = false;
  /** What `Connection` says: whether the connection ends, or stays; neither where nothing is said. */
  isLast = false;
  isKept = false;
  /** Value of `Keep-Alive`. */
  keepAlive = '';
  contentType = '';
  contentEncoding = '';
  isWhole = false;
  /** Whether what is read are the fields after the last chunk, of which none is noted. */
  #isTrailer = false;
  /** What is wrong, where something is: the part of the head. */
  fault = '';

  reset(): void {
    this.status = 0;
    this.isHttp10 = false;
    this.contentLength = -1;
    this.isChunked = false;
    this.isLast = false;
    this.isKept = false;
    this.keepAlive = '';
    this.contentType = '';
    this.contentEncoding = '';
    this.isWhole = false;
    this.#isTrailer = false;
    this.fault = '';
  }

  /** Gets ready for the fields after the last chunk: `readLines` reads them, and throws them away. */
  beginTrailer(): void {
    this.isWhole = false;
    this.#isTrailer = true;
  }

  #refuse(part: string): typeof invalidLine {
    this.fault = part;
    return invalidLine;
  }

  /** Reads the whole lines of `bytes` from `at` on. Returns where the first line begins that is not whole, or `invalidLine`. */
  readLines(bytes: Buffer, at: number, end: number): number {
    let from = at;
    while (!this.isWhole) {
      const next = this.status === 0 ? this.#statusLine(bytes, from, end) : this.#field(bytes, from, end);
      if (next === from || next === invalidLine) return next;
      from = next;
    }
    return from;
  }

  /** `HTTP/1.1 200 OK`. Common servers leave out the space before an empty reason, which misleads nobody. */
  #statusLine(bytes: Buffer, at: number, end: number): number {
    if (!beginsAs(version, bytes, at, end)) return this.#refuse('status line');
    const place = at + version.length;
    if (end - place < shortestRest) return at;
    const minor = (bytes[place] ?? 0) - zero;
    const status = bytes[place + 1] === space ? statusAt(bytes, place + 2) : 0;
    const afterCode = bytes[place + shortestRest - 2];
    const isValid = (minor === 0 || minor === 1) && (afterCode === space || afterCode === carriageReturn);
    const next = this.#endOfLine(bytes, place + shortestRest - 2, end);
    if (!isValid || status < 100 || status > 599 || next === invalidLine) return this.#refuse('status line');
    if (next === 0) return at;
    this.status = status;
    this.isHttp10 = minor === 0;
    return next;
  }

  /** Where the next line begins; 0 if this one is not whole; `invalidLine` where it holds or ends in what it may not. */
  #endOfLine(bytes: Buffer, at: number, end: number): number {
    let place = at;
    while (place < end && isText[bytes[place] ?? 0] === 1) place += 1;
    if (place === end) return 0;
    if (bytes[place] !== carriageReturn) return invalidLine;
    if (place + 1 === end) return 0;
    return bytes[place + 1] === lineFeed ? place + 2 : invalidLine;
  }

  #field(bytes: Buffer, at: number, end: number): number {
    let place = at;
    while (place < end && isName[bytes[place] ?? 0] === 1) place += 1;
    if (place === end) return at;
    if (place === at) return this.#emptyLine(bytes, at, end);
    if (bytes[place] !== colon) return this.#refuse('header');
    const next = this.#endOfLine(bytes, place + 1, end);
    if (next === 0) return at;
    if (next === invalidLine) return this.#refuse('header');
    const known = knownAt(bytes, at, place - at);
    if (known === undefined) return next;
    if (this.#isTrailer) return framing.has(known) ? this.#refuse('trailer') : next;
    const isValid = this.#note(known, bytes.toString('latin1', place + 1, next - lineEndLength));
    return isValid ? next : invalidLine;
  }

  /** The line that ends the head. One that begins with a space would go on with the field before (obs-fold). */
  #emptyLine(bytes: Buffer, at: number, end: number): number {
    if (bytes[at] !== carriageReturn) return this.#refuse('header');
    if (at + 1 === end) return at;
    if (bytes[at + 1] !== lineFeed) return this.#refuse('header');
    this.isWhole = true;
    return at + 2;
  }

  /** Notes a field; false where it is not valid. */
  #note(known: KnownHeader, text: string): boolean {
    if (known === 'contentLength') return this.#noteLength(text);
    if (known === 'transferEncoding') return this.#noteChunked(text);
    const value = withoutBlanks(text);
    if (known === 'connection') {
      this.isLast ||= hasMember(value, 'close');
      this.isKept ||= hasMember(value, 'keep-alive');
    } else this[known] = this[known] === '' ? value : `${this[known]}, ${value}`;
    return true;
  }

  // What says where the body ends may come only once, and without a tab, which some readers take for a part of it.

  #noteLength(text: string): boolean {
    const digits = /^ *(\d+) *$/.exec(text)?.[1];
    if (digits === undefined || digits.length > lengthDigitsMax || this.contentLength !== -1) {
      this.fault = 'content-length';
      return false;
    }
    this.contentLength = Number(digits);
    return true;
  }

  #noteChunked(text: string): boolean {
    const isValid = !this.isChunked && /^ *chunked *$/i.test(text);
    this.isChunked = true;
    if (!isValid) this.fault = 'transfer-encoding';
    return isValid;
  }
}
