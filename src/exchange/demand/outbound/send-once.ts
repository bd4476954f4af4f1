import type { Dispatcher } from 'undici';
import { setOwnMember } from '../../../reference/own-member.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { privateAddressCode } from './guarded-connector.ts';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Bounds {
  readonly deadlineMs: number;
  readonly bytesMax: number;
  /** Called when the connection is done with the request: after a timeout, later than the caller's refusal. */
  readonly released: () => void;
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

/** Whether the answer was invalid HTTP. */
const isBadHttp = (code: string) =>
  /^HPE_|^HTTPParserError$|^UND_ERR_HEADERS_OVERFLOW$|^UND_ERR_RES/.test(code);

function refusalOf(error: Error, status: number): Refusal {
  const met = codeOf(error);
  if (met === privateAddressCode) return refuse('private_address', { met: error.message });
  if (met === 'UND_ERR_INVALID_ARG') return refuse('not_callable', { met: error.message });
  return refuse(status > 0 || isBadHttp(met) ? 'invalid_response' : 'unreachable', { met });
}

/** Joins repeated headers by commas. Mutates `headers`: most need no change. */
function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) setOwnMember(single, name, value.join(', '));
  }
  return single;
}

/** A class, because one is made for every call. */
class Call implements Dispatcher.DispatchHandler {
  readonly #answered = Promise.withResolvers<RawAnswer | Refusal>();
  readonly #bounds: Bounds;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #size = 0;
  #isOver = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#timer = setTimeout(Call.#expire, bounds.deadlineMs, this);
  }

  get answered(): Promise<RawAnswer | Refusal> {
    return this.#answered.promise;
  }

  static #expire(call: Call): void {
    call.#giveUp(refuse('timed_out', { wanted: Math.round(call.#bounds.deadlineMs) }));
  }

  #end(result: RawAnswer | Refusal): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#answered.resolve(result);
  }

  #giveUp(refusal: Refusal): void {
    this.#end(refusal);
    this.#controller?.abort(new Error(refusal.reason));
  }

  #refuseLength(): void {
    this.#giveUp(refuse('invalid_response', { field: 'body', wanted: this.#bounds.bytesMax, met: 'longer' }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Timed out before it had a connection. Unlike an abort, this error leaves the connection open for others.
    if (this.#isOver) throw new Error('timed_out');
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    this.#headers = joined(headers);
    if (Number(this.#headers['content-length']) > this.#bounds.bytesMax) this.#refuseLength();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isOver) return;
    if (this.#size > this.#bounds.bytesMax) this.#refuseLength();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#bounds.released();
    const [first] = this.#chunks;
    const isWhole = first !== undefined && this.#chunks.length === 1;
    const body = isWhole ? first : Buffer.concat(this.#chunks);
    this.#end({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#bounds.released();
    this.#end(refusalOf(error, this.#status));
  }
}

/** Reads at most `bytesMax`. Without a whole answer by the deadline it ends as `timed_out` and cuts the connection. */
export function sendOnce(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  bounds: Bounds,
): Promise<RawAnswer | Refusal> {
  const call = new Call(bounds);
  dispatcher.dispatch(options, call);
  return call.answered;
}
