import type { Socket } from 'node:net';
import { type AnswerBounds, AnswerReader, type Progress } from './answer-reader.ts';
import type { createSockets } from './open-socket.ts';

export interface ConnectionUser {
  /** The reader's body is valid until this returns. */
  answered(reader: AnswerReader): void;
  /** The connection ended with a fault of the answer, or an error. `isUntouched`: before any byte of an answer. */
  broken(fault: string, error: Error | undefined, isUntouched: boolean): void;
}

export interface ConnectionOwner {
  /** Connected, or ready for the next request. */
  ready(connection: Connection): void;
  /** Not to be used again. `error`: why, if known. */
  gone(connection: Connection, error: Error | undefined): void;
}

export interface ConnectionOptions {
  readonly open: ReturnType<typeof createSockets>;
  readonly bounds: AnswerBounds;
  readonly connectTimeoutMs: number;
}

/** One read buffer for a thread: it is emptied before the next socket is read. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

const standardKeptMs = 4_000;
const keptMaxMs = 600_000;
/** Stop using an idle connection this long before its partner would close it. */
const keptMarginMs = 2_000;

/** From the `Keep-Alive` header; 0 = not kept. */
function keptMsOf(keepAlive: string | undefined): number {
  if (keepAlive === undefined) return 0;
  if (keepAlive === '') return standardKeptMs;
  const seconds = /\btimeout=(\d+)/i.exec(keepAlive)?.[1];
  if (seconds === undefined) return standardKeptMs;
  return Math.max(0, Math.min(Number(seconds) * 1_000 - keptMarginMs, keptMaxMs));
}

/** Carries one request at a time, and is never reused after anything unusual. */
export class Connection {
  readonly origin: string;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader: AnswerReader;
  readonly #connectTimer: NodeJS.Timeout;
  #user: ConnectionUser | undefined;
  #isGone = false;
  /** False if it ends with its first answer. */
  readonly #isKept: boolean;
  isReused = false;
  keptMs: number;
  keptUntilMs = 0;

  /** Throws if the guard refuses the host. */
  constructor(origin: string, isKept: boolean, owner: ConnectionOwner, options: ConnectionOptions) {
    const { open, bounds, connectTimeoutMs } = options;
    this.origin = origin;
    this.#isKept = isKept;
    this.keptMs = isKept ? standardKeptMs : 0;
    this.#owner = owner;
    this.#reader = new AnswerReader(bounds);
    const callback = (length: number) => this.#received(length);
    const { socket, readyEvent } = open(origin, { buffer, callback });
    this.#socket = socket;
    const late = Object.assign(new Error('connecting took too long'), { code: 'CONNECT_TIMEOUT' });
    this.#connectTimer = setTimeout(() => this.#end('', late), connectTimeoutMs).unref();
    socket.once(readyEvent, () => this.#connected());
    socket.once('end', () => this.#ended());
    socket.on('error', (error) => this.#end('', error));
    socket.once('close', () => this.#end('', undefined));
  }

  /** The answer, or what ended the connection, goes to `user`. */
  send(bytes: Buffer, user: ConnectionUser): void {
    this.#user = user;
    this.#reader.reset();
    this.#socket.write(bytes);
  }

  /** Ends it without a word to its user. */
  cut(): void {
    this.#user = undefined;
    this.#end('', undefined);
  }

  #connected(): void {
    if (this.#isGone) return;
    clearTimeout(this.#connectTimer);
    this.#owner.ready(this);
  }

  #received(length: number): boolean {
    if (this.#user === undefined) {
      // Nobody asked for these bytes.
      this.cut();
      return false;
    }
    this.#take(this.#reader.push(buffer, length));
    return !this.#isGone;
  }

  #ended(): void {
    if (this.#user === undefined) this.cut();
    else if (this.#reader.isUntouched) this.#end('', undefined);
    else this.#take(this.#reader.end());
    this.cut();
  }

  #take(progress: Progress): void {
    if (progress === 'fault') this.#end(this.#reader.fault, undefined);
    else if (progress === 'answer') this.#answered();
  }

  #answered(): void {
    const user = this.#user;
    const reader = this.#reader;
    this.#user = undefined;
    this.isReused = true;
    // Extra bytes, or an answer before the whole request was sent: do not reuse.
    const isPlain = !reader.hasRest && this.#socket.writableLength === 0;
    this.keptMs = isPlain && this.#isKept ? keptMsOf(reader.keepAlive) : 0;
    user?.answered(reader);
    if (this.keptMs === 0) this.cut();
    else this.#owner.ready(this);
  }

  #end(fault: string, error: Error | undefined): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#connectTimer);
    this.#socket.destroy();
    this.#owner.gone(this, error);
    const user = this.#user;
    this.#user = undefined;
    user?.broken(fault, error, this.#reader.isUntouched);
  }
}
