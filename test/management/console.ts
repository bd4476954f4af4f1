import assert from 'node:assert/strict';
import { createApi, type Reply } from './api.ts';

/** Speaks to one server as the console does: by a cookie. */
export interface Console {
  /** As the header `Cookie` has it. */
  readonly cookie: string;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
}

/** The cookie that an answer sets. */
function cookieOf({ headers }: Pick<Reply, 'headers'>): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The console of whoever has that cookie. */
export function consoleWith(url: string, cookie: string): Console {
  const { send } = createApi(url, '');
  const headers = { cookie, 'bourse-console': '1', 'sec-fetch-site': 'same-origin' };
  return {
    cookie,
    get: (path) => send(path, { headers }),
    post: (path, body) => send(path, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

/** Logs in as the console does; must succeed. */
export async function consoleFor(
  { url, mail: Username, password: Password }: { url: string; mail: string; password: string },
  more: object = {},
): Promise<Console> {
  const reply = await consoleWith(url, '').post('/api/auth/session', { Username, Password, ...more });
  assert.equal(reply.status, 200, reply.text);
  return consoleWith(url, cookieOf(reply));
}
