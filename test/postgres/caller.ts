import assert from 'node:assert/strict';

/** One answer, read whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Calls a server under one token. */
export type Caller = ReturnType<typeof callerOf>;

export function callerOf(url: string, token: string) {
  const authorization = `Bearer ${token}`;
  const call = async (path: string, init: RequestInit, headers: Record<string, string>): Promise<Reply> => {
    const answer = await fetch(url + path, { ...init, headers: { authorization, ...headers } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    get: (path: string) => call(path, {}, {}),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      call(path, { method: 'POST', body: JSON.stringify(body) }, headers),
  };
}

/** The JSON of an answer that must be 200. */
export function jsonOf({ status, text }: Reply): unknown {
  assert.equal(status, 200, text.slice(0, 300));
  return JSON.parse(text);
}

/** The database is away: 503, when to try again, and the error body, which tells nothing of the database's own. */
export function assertAway({ status, headers, text }: Reply): void {
  assert.equal(status, 503, text.slice(0, 300));
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  const body: unknown = JSON.parse(text);
  assert.ok(typeof body === 'object' && body !== null && 'Status' in body && 'Error' in body);
  assert.equal(body.Status, 'Error');
  assert.doesNotMatch(String(body.Error), /postgres|ECONN|127\.0\.0\.1|terminat/i);
}
