import type { Failure, Fault } from '../../src/answers/failure.ts';
import type { AnswerTo, ApiPath } from './answers.ts';
import { untilLoggedIn } from './session-end.ts';

/** A call that the server refused, or could not serve. */
export class CallError extends Error {
  /** HTTP status; 0 where no server answered. */
  readonly status: number;
  readonly faults: readonly Fault[];

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.faults = faults;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** A request as one value: it is sent, and shown to whoever wants a program to do the same. */
export interface ApiRequest<Path extends ApiPath = ApiPath> {
  /** As `api/publisher/add`. */
  readonly path: Path;
  /** Parameters of the query; those that are undefined are left out. */
  readonly query?: Query;
  /** Sent as JSON by POST; without it and `form` the request is a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string | number>>;
  /** A member of the body or the form that comes from a file. */
  readonly file?: { readonly member: string; readonly name: string };
  /** Headers that change what the request does, as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a call failed by what may pass: what the server refuses it refuses again, what it could not serve is worth another try. */
export const isPassing = (error: Error): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500);

/** How a request is sent, which changes nothing of what it does. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The page's base address, for a worker, whose own is elsewhere. */
  readonly base?: string;
  /** Whether it needs no session: a 401 is its answer, and no session has ended. */
  readonly isOpen?: boolean;
}

/** How a fetch is sent, with its query. */
export interface CallOptions extends SendOptions {
  readonly query?: Query;
}

/** Tells the server that the console calls, without which it does not count the session's cookie. */
export const ownHeaders = { 'bourse-console': '1' };

/** Headers of a call that a live view makes by itself, which is not to keep a session alive. */
export const pollHeaders = { 'bourse-console': 'poll' };

export function withQuery(path: string, query: Query = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

export async function errorOf(response: Response): Promise<CallError> {
  const text = await response.text();
  try {
    const { Error: message, Errors }: Partial<Failure> = JSON.parse(text);
    return new CallError(response.status, message ?? `HTTP status ${response.status}`, Errors);
  } catch {
    return new CallError(response.status, `HTTP status ${response.status}`);
  }
}

/** An answer, with its headers. */
export interface CallAnswer<T> {
  readonly data: T;
  readonly headers: Headers;
}

async function send(request: ApiRequest, { headers, signal, base }: SendOptions): Promise<Response> {
  const { path, query, body } = request;
  try {
    return await fetch(base ? new URL(withQuery(path, query), base) : withQuery(path, query), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...ownHeaders,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError(
      0,
      'The server does not answer. What you typed is kept, and the console tries again.',
    );
  }
}

const noSession = 401;

/** What the API answers; where the session has ended, what it answers once there is another. */
async function asked(request: ApiRequest, options: SendOptions): Promise<Response> {
  for (;;) {
    const response = await send(request, options);
    if (response.ok) return response;
    if (response.status !== noSession || options.isOpen) throw await errorOf(response);
    await untilLoggedIn();
  }
}

/** Sends a request, but none with a form, as the session's user. Rejects with `CallError`. */
export async function sendRequest<Path extends ApiPath>(
  request: ApiRequest<Path>,
  options: SendOptions = {},
): Promise<CallAnswer<AnswerTo<Path>>> {
  const response = await asked(request, options);
  return { data: await response.json(), headers: response.headers };
}

/** Fetches as the session's user. Rejects with `CallError`. */
export const call = <Path extends ApiPath>(
  path: Path,
  { query, ...options }: CallOptions = {},
): Promise<CallAnswer<AnswerTo<Path>>> => sendRequest({ path, ...(query && { query }) }, options);

/** `call` for an answer that is no JSON. */
export async function callText(path: ApiPath): Promise<string> {
  return await (await asked({ path }, {})).text();
}

/** A file, and what it is called, where the API says that (RFC 6266). */
interface AnsweredFile {
  readonly content: Blob;
  readonly name: string | undefined;
}

/** What the API answers to a request, as a file. Rejects with `CallError`. */
export async function sendForFile(request: ApiRequest): Promise<AnsweredFile> {
  const response = await asked(request, {});
  const disposition = response.headers.get('content-disposition') ?? '';
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  return { content: await response.blob(), name: name && decodeURIComponent(name) };
}
