import { untilLoggedIn } from './session-end.ts';

/** One fault of a refused request: where, which kind, and what would be right. */
export interface Fault {
  readonly Path: string;
  readonly Code: string;
  readonly Message: string;
}

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

/** What a call sends beside its path. */
export interface CallOptions {
  /** Parameters of the query; those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON by POST; without it the call is a GET. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Whether it needs no session: a 401 is its answer, and no session has ended. */
  readonly isOpen?: boolean;
}

/** Tells the server that the console calls, without which it does not count the session's cookie. */
export const ownHeaders = { 'bourse-console': '1' };

/** Headers of a call that a live view makes by itself, which is not to keep a session alive. */
export const pollHeaders = { 'bourse-console': 'poll' };

/** The path with its query. */
export function withQuery(path: string, query: CallOptions['query'] = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** What a refusal says. */
export async function errorOf(response: Response): Promise<CallError> {
  const text = await response.text();
  try {
    const { Error: message, Errors } = JSON.parse(text) as { Error?: string; Errors?: readonly Fault[] };
    return new CallError(response.status, message ?? `HTTP status ${response.status}`, Errors);
  } catch {
    return new CallError(response.status, `HTTP status ${response.status}`);
  }
}

/** An answer, with its headers. */
export interface Answered<T> {
  readonly data: T;
  readonly headers: Headers;
}

async function send(path: string, { query, body, headers, signal }: CallOptions): Promise<Response> {
  try {
    return await fetch(withQuery(path, query), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...ownHeaders,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError(0, 'The server does not answer. What you typed is kept; it is tried again.');
  }
}

const noSession = 401;

/** What the API answers; where the session has ended, what it answers once there is another. */
async function asked(path: string, options: CallOptions): Promise<Response> {
  for (;;) {
    const response = await send(path, options);
    if (response.ok) return response;
    if (response.status !== noSession || options.isOpen) throw await errorOf(response);
    await untilLoggedIn();
  }
}

/** Calls the API as the session's user. Rejects with `CallError`. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<Answered<T>> {
  const response = await asked(path, options);
  return { data: (await response.json()) as T, headers: response.headers };
}

/** `call` for an answer that is no JSON. */
export async function callText(path: string): Promise<string> {
  return await (await asked(path, {})).text();
}
