import { Agent, request } from 'undici';

export type HttpResult = { readonly status: number; readonly body: string } | { readonly failure: string };

export interface HttpCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST, as JSON. */
  readonly body?: object;
}

/** Follows no redirects and never rejects. */
export interface HttpClient {
  call(url: string, call?: HttpCall): Promise<HttpResult>;
  close(): Promise<void>;
}

const connectionsMax = 256;
const answerMsMax = 10_000;
const answerBytesMax = 16 * 1024 * 1024;

const codeOf = (error: unknown): string =>
  error instanceof Error ? String('code' in error ? error.code : error.name) : String(error);

/** Keeps up to 256 connections per origin. */
export function createHttpClient(): HttpClient {
  const dispatcher = new Agent({
    connections: connectionsMax,
    pipelining: 1,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    maxResponseSize: answerBytesMax,
  });
  return {
    async call(url, { headers = {}, body } = {}) {
      try {
        const answer = await request(url, {
          dispatcher,
          headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        });
        return { status: answer.statusCode, body: await answer.body.text() };
      } catch (error) {
        return { failure: codeOf(error) };
      }
    },
    close: () => dispatcher.close(),
  };
}
