import type { Dispatcher } from 'undici';
import { type Refusal, refuse } from '../../reasons.ts';
import { privateAddressCode } from './guarded-connector.ts';

/** An answer as it came, compressed or not. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; values that came several times are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Bounds {
  readonly deadlineMs: number;
  readonly bytesMax: number;
  /** Called when the connection is done with the request, which after a timeout is later than the answer. */
  readonly released: () => void;
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

/** Codes of errors that mean an answer came and was no good HTTP. */
const isBadHttp = (code: string) =>
  /^HPE_|^HTTPParserError$|^UND_ERR_HEADERS_OVERFLOW$|^UND_ERR_RES/.test(code);

function refusalOf(error: Error, status: number): Refusal {
  const met = codeOf(error);
  if (met === privateAddressCode) return refuse('private_address', { met: error.message });
  if (met === 'UND_ERR_INVALID_ARG') return refuse('not_callable', { met: error.message });
  return refuse(status > 0 || isBadHttp(met) ? 'invalid_response' : 'unreachable', { met });
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name !== '__proto__' && value !== undefined)
      joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/**
 * Sends one request and collects the answer, at most `bytesMax` of it, until the deadline. Whatever has not come by
 * then (connection, headers, the next byte) ends as `timed_out`, and the connection is cut.
 */
export function sendOnce(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { deadlineMs, bytesMax, released }: Bounds,
): Promise<RawAnswer | Refusal> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer | Refusal>();
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let headers: Record<string, string> = {};
  let size = 0;
  let isOver = false;
  const end = (result: RawAnswer | Refusal) => {
    isOver = true;
    clearTimeout(timer);
    resolve(result);
  };
  const giveUp = (refusal: Refusal) => {
    end(refusal);
    controller?.abort(new Error(refusal.reason));
  };
  const timer = setTimeout(() => giveUp(refuse('timed_out', { wanted: Math.round(deadlineMs) })), deadlineMs);
  const tooLong = () =>
    giveUp(refuse('invalid_response', { field: 'body', wanted: bytesMax, met: 'longer' }));
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      // The connection came too late for this call. Unlike an abort, an error leaves it open for the next ones.
      if (isOver) throw new Error('timed_out');
    },
    onResponseStart(_controller, statusCode, received) {
      status = statusCode;
      headers = plain(received);
      if (Number(headers['content-length']) > bytesMax) tooLong();
    },
    onResponseData(_controller, chunk) {
      size += chunk.length;
      if (isOver) return;
      if (size > bytesMax) tooLong();
      else chunks.push(chunk);
    },
    onResponseEnd() {
      released();
      const [first] = chunks;
      end({
        status,
        headers,
        body: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks),
      });
    },
    onResponseError(_controller, error) {
      released();
      end(refusalOf(error, status));
    },
  });
  return promise;
}
