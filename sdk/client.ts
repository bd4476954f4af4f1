import createClient, { type Client } from 'openapi-fetch';
import { answerOf } from './answers.ts';
import type { components, paths } from './generated/schema.d.ts';

/** Types of what the exchange takes and answers, by name: `Schemas['NewVastTag']`, `Schemas['VastTag']`. */
export type Schemas = components['schemas'];

/** A client of the management API: `GET` and `POST` by path, typed, with the token attached. */
export interface BourseClient extends Pick<Client<paths>, 'GET' | 'POST'> {
  /** Logs in; calls from then on carry the token, which is renewed before it ends. Rejects with `BourseError`. */
  login(mail: string, password: string): Promise<void>;
  /** Ends the token. */
  logout(): Promise<void>;
}

/** Where a client finds the exchange, and by which token; without one `login` comes first. */
export interface BourseClientOptions {
  /** Where the exchange is, as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** An API key, or an access token from elsewhere. It is used as it is and never renewed. */
  readonly token?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A token and when to renew it, in milliseconds since 1970. */
interface Held {
  readonly token: string;
  readonly renewAtMs: number;
}

const publicPath = '/api/auth/login';
const renewalPath = '/api/auth/refresh';

/** Fields of a form, for operations that take a list as a file: `bodySerializer: asForm`. */
export function asForm(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    form.append(name, value instanceof Blob ? value : String(value));
  return form;
}

/** Creates a client. Without a token, `login` before any other call. */
export function createBourseClient({ baseUrl, token, now = Date.now }: BourseClientOptions): BourseClient {
  const client = createClient<paths>({ baseUrl });
  let held: Held | undefined =
    token === undefined ? undefined : { token, renewAtMs: Number.POSITIVE_INFINITY };
  let renewal: Promise<void> | undefined;

  // A token is renewed when half of its life is over.
  const hold = ({ AccessToken, ExpiresIn }: { AccessToken: string; ExpiresIn: number }) => {
    held = { token: AccessToken, renewAtMs: now() + (ExpiresIn * 1000) / 2 };
  };
  const renew = async () => {
    try {
      hold(await answerOf(client.POST(renewalPath)));
    } finally {
      renewal = undefined;
    }
  };
  client.use({
    onRequest: async ({ request, schemaPath }) => {
      if (schemaPath === publicPath) return;
      if (held && schemaPath !== renewalPath && now() >= held.renewAtMs) {
        renewal ??= renew();
        await renewal;
      }
      if (held) request.headers.set('authorization', `Bearer ${held.token}`);
    },
  });
  return {
    GET: client.GET,
    POST: client.POST,
    login: async (Username, Password) =>
      hold(await answerOf(client.POST(publicPath, { body: { Username, Password } }))),
    logout: async () => {
      await answerOf(client.POST('/api/auth/logout'));
      held = undefined;
    },
  };
}
