import { setTimeout as delay } from 'node:timers/promises';

/** A JSON object of an answer. */
export type Json = Readonly<Record<string, unknown>>;

/** One answer, read whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, an empty object where it is none. */
  readonly body: Json;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

async function replyOf(answer: Response): Promise<Reply> {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
}

/** Calls a server as one user. */
export function apiOf(url: string, token: string) {
  const authorization = `Bearer ${token}`;
  const own = { authorization, 'accept-encoding': 'identity' };
  return {
    url,
    authorization,
    get: async (path: string) => replyOf(await fetch(`${url}${path}`, { headers: own })),
    /** Posts a body: text and bytes as they are, anything else as JSON. */
    post: async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
      const sent = (isRaw ? body : JSON.stringify(body)) as RequestInit['body'] & {};
      const init = { method: 'POST', headers: { ...own, ...headers }, body: sent };
      return replyOf(await fetch(`${url}${path}`, init));
    },
  };
}

export type Api = ReturnType<typeof apiOf>;

const isOverloaded = ({ status, text }: Reply) => status === 503 && text.includes('is overloaded');

/** The same calls, asked again while the server says that it has too much to do: as a client should. */
export function patient(api: Api): Api {
  const until = async (call: () => Promise<Reply>): Promise<Reply> => {
    for (;;) {
      const reply = await call();
      if (!isOverloaded(reply)) return reply;
      await delay(100);
    }
  };
  return {
    ...api,
    get: (path) => until(() => api.get(path)),
    post: (path, body, headers) => until(() => api.post(path, body, headers)),
  };
}

/** Adds an object that must be taken, and answers it. */
export async function added(
  api: Api,
  path: string,
  wrapper: string,
  values: object,
): Promise<Json & { Id: number }> {
  const { status, body, text } = await api.post(`/api/${path}/add`, { [wrapper]: values });
  if (status !== 200) throw new Error(`${path}/add answered ${status}: ${text.slice(0, 500)}`);
  return body[wrapper] as Json & { Id: number };
}
