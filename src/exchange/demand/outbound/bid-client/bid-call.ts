import { type Refusal, refuse } from '../../../reasons.ts';
import type { OutboundAnswer } from '../../demand-kind.ts';
import { decode } from '../decode.ts';
import { decompress } from '../decompress.ts';
import { privateAddressCode } from '../guarded-connector.ts';
import { isRedirect } from '../redirects.ts';
import { headersOf } from './answer-headers.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { Connection, ConnectionUser } from './connection.ts';
import type { ConnectionPool, Waiting } from './connection-pool.ts';
import { type TimerWheel, WheelTimer } from './timer-wheel.ts';

/** Parses headers only when asked for, which is rare. */
class Answer implements OutboundAnswer {
  readonly status: number;
  readonly body: string;
  readonly #head: string;

  constructor(status: number, head: string, body: string) {
    this.status = status;
    this.body = body;
    this.#head = head;
  }

  get headers(): OutboundAnswer['headers'] {
    return headersOf(this.#head);
  }
}

export interface CallTools {
  readonly pool: ConnectionPool;
  readonly wheel: TimerWheel;
  readonly bodyBytesMax: number;
}

export interface CallOptions {
  /** As `https://ads.example`. */
  readonly origin: string;
  readonly bytes: Buffer;
  readonly deadlineMs: number;
  /** Asked only if nothing was answered. Absent = no. */
  readonly mayRepeat?: (() => boolean) | undefined;
  readonly done: (result: OutboundAnswer | Refusal) => void;
}

function codeOf(error: Error | undefined): string {
  if (error === undefined) return 'closed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function refusalOf(error: Error | undefined, isUntouched: boolean): Refusal {
  const met = codeOf(error);
  if (met === privateAddressCode) return refuse('private_address', { met: error?.message });
  return refuse(isUntouched ? 'unreachable' : 'invalid_response', { met });
}

/** From its begin to its answer, deadline or failure. */
export class BidCall extends WheelTimer implements ConnectionUser, Waiting {
  readonly #tools: CallTools;
  readonly #options: CallOptions;
  #connection: Connection | undefined;

  constructor(tools: CallTools, options: CallOptions) {
    super();
    this.#tools = tools;
    this.#options = options;
  }

  begin(): void {
    this.#tools.wheel.add(this, this.#options.deadlineMs);
    this.#take(false);
  }

  start(connection: Connection): void {
    this.#connection = connection;
    connection.send(this.#options.bytes, this);
  }

  unconnected(error: Error | undefined): void {
    this.#end(refusalOf(error, true));
  }

  answered(reader: AnswerReader): void {
    this.#end(this.#read(reader));
  }

  broken(fault: string, error: Error | undefined, isUntouched: boolean): void {
    const wasReused = this.#connection?.isReused === true;
    this.#connection = undefined;
    if (fault === 'body') {
      this.#end(
        refuse('invalid_response', { field: fault, wanted: this.#tools.bodyBytesMax, met: 'longer' }),
      );
    } else if (fault !== '') this.#end(refuse('invalid_response', { field: fault }));
    // Partners may close a kept connection just as a request is sent. On a fresh one that is a failure.
    else if (wasReused && isUntouched && this.#options.mayRepeat?.() === true) this.#take(true);
    else this.#end(refusalOf(error, isUntouched));
  }

  expire(): void {
    const { origin, deadlineMs } = this.#options;
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) this.#tools.pool.leave(origin, this);
    else connection.cut();
    this.#end(refuse('timed_out', { wanted: Math.round(deadlineMs) }));
  }

  #take(isFresh: boolean): void {
    const refusal = this.#tools.pool.take(this.#options.origin, this, isFresh);
    if (refusal !== undefined) this.#end(refusal);
  }

  #read(reader: AnswerReader): OutboundAnswer | Refusal {
    const { status, headText, contentEncoding } = reader;
    // Nobody reads a redirect's page.
    if (isRedirect(status)) return new Answer(status, headText, '');
    const content = decompress(reader.body, contentEncoding, this.#tools.bodyBytesMax);
    if (content === undefined)
      return refuse('invalid_response', { field: 'content-encoding', met: contentEncoding });
    return new Answer(status, headText, decode(content, reader.contentType));
  }

  #end(result: OutboundAnswer | Refusal): void {
    this.#connection = undefined;
    this.#tools.wheel.remove(this);
    this.#options.done(result);
  }
}
