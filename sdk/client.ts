import createClient, { type Client } from 'openapi-fetch';
import type { TypedGet } from './fetches.ts';
import type { components, paths } from './generated/schema.d.ts';

/** Types of what the exchange takes and answers, by name: `Schemas['NewVastTag']`, `Schemas['VastTag']`. */
export type Schemas = components['schemas'];

/** One fault of a refused request: where, which kind, and what would be right. */
export type Fault = NonNullable<components['schemas']['Failure']['Errors']>[number];

/** A call that the exchange refused, or could not serve. */
export class BourseError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Every fault of the request, if there are any. */
  readonly faults: readonly Fault[];

  constructor(status: number, failure: Partial<components['schemas']['Failure']> | undefined) {
    super(failure?.Error ?? `HTTP status ${status}`);
    this.name = 'BourseError';
    this.status = status;
    this.faults = failure?.Errors ?? [];
  }
}

/** What a call of the client comes to: `data` or `error`, never both. */
type Outcome<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/** The body of a call that succeeds. Rejects with `BourseError` when it fails. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (data !== undefined && data !== null) return data;
  throw new BourseError(response.status, typeof error === 'object' ? (error ?? undefined) : undefined);
}

/** The object of a fetch with `Id`. Rejects with `BourseError` when it fails. */
export async function objectOf<T>(
  call: Promise<Outcome<T>>,
): Promise<Exclude<NonNullable<T>, readonly unknown[]>> {
  const answer = await answerOf(call);
  if (Array.isArray(answer)) throw new TypeError('the answer is an array; fetch with an Id for one object');
  return answer as Exclude<NonNullable<T>, readonly unknown[]>;
}

/** The array of a fetch without `Id`. Rejects with `BourseError` when it fails. */
export async function arrayOf<T>(
  call: Promise<Outcome<T>>,
): Promise<Extract<NonNullable<T>, readonly unknown[]>> {
  const answer = await answerOf(call);
  if (!Array.isArray(answer))
    throw new TypeError('the answer is one object; fetch without an Id for an array');
  return answer as Extract<NonNullable<T>, readonly unknown[]>;
}

/** A client of the management API: `GET` and `POST` by path, typed, with the token attached. */
export interface BourseClient extends Pick<Client<paths>, 'POST'> {
  /** Fetches; see `TypedGet`. */
  readonly GET: TypedGet;
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
    // The types say more than those that it is made of: what the exchange does with an `Id`.
    GET: client.GET as TypedGet,
    POST: client.POST,
    login: async (Username, Password) =>
      hold(await answerOf(client.POST(publicPath, { body: { Username, Password } }))),
    logout: async () => {
      await answerOf(client.POST('/api/auth/logout'));
      held = undefined;
    },
  };
}
