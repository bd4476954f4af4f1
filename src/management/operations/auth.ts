import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, pathOf } from '../../fields/fault.ts';
import type { ApiKey, NewApiKey } from '../../identity/api-keys.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Store, Values } from '../../store/interface.ts';
import { callOf, send } from '../call.ts';
import type { Answer } from '../context.ts';
import { perform } from '../perform.ts';
import { readNumbers } from '../query.ts';
import { compileCheck } from '../validation.ts';
import { unwrap } from '../wrapper.ts';
import { type AuthOperation, type AuthOperationName, authOperations } from './auth-schemas.ts';

/** Answers a request with a body to send as JSON, or with a whole answer. */
type Serve = (request: FastifyRequest, context: AuthContext) => Promise<object>;

/** What the operations under `/api/auth/` work with. */
export interface AuthContext {
  readonly identity: Identity;
  readonly store: Store;
}

/** Members of an API key that only answers carry: ignored in requests that take others (decisions W5). */
const answered = ['Id', 'Key', 'UserId', 'CreatedAt', 'ExpiresAt', 'LastUsedAt', 'Label'];

/** The whole body, where it has no wrapper. */
function bare(accepts: object, body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  const names = 'properties' in accepts ? Object.keys(accepts.properties as object) : [];
  const members = names.length === 0 ? '' : ` with \`${names.join('` and `')}\``;
  throw invalid([{ Path: '', Code: 'type', Message: `the body must be an object${members}` }]);
}

/** Compiles how an operation's body is read: unwrapped, checked, every fault told at once (decisions W4 to W6). */
function compileBody({ wrapper, accepts }: AuthOperation): (body: unknown) => Values {
  if (!accepts) return (body) => refuseMembers(body);
  const check = compileCheck(accepts);
  const known = 'properties' in accepts ? Object.keys(accepts.properties as object) : [];
  const ignored = wrapper === undefined ? [] : answered.filter((name) => !known.includes(name));
  return (body) => {
    const sent = wrapper === undefined ? bare(accepts, body) : unwrap(wrapper, body);
    const values = Object.fromEntries(Object.entries(sent).filter(([name]) => !ignored.includes(name)));
    const faults = check(values, wrapper ?? '');
    if (faults.length > 0) throw invalid(faults);
    return values;
  };
}

/** An operation that needs no body takes an empty one, or an empty object. */
function refuseMembers(body: unknown): Values {
  const sent = body === undefined ? {} : bare({}, body);
  const faults = Object.keys(sent).map((name) => ({
    Path: name,
    Code: 'unknown_field',
    Message: 'is no known field; this operation takes none',
  }));
  if (faults.length > 0) throw invalid(faults);
  return sent;
}

function sessionBody({ userId, accessToken, expiresInSeconds }: Session) {
  return { Status: 'Ok', UID: userId, AccessToken: accessToken, ExpiresIn: expiresInSeconds };
}

function moment(atMs: number | undefined): string {
  return atMs === undefined ? '' : new Date(atMs).toJSON();
}

function keyBody(key: ApiKey | NewApiKey) {
  return {
    Id: key.id,
    Label: key.label,
    ...('key' in key ? { Key: key.key } : {}),
    UserId: key.userId,
    CreatedAt: moment(key.createdAtMs),
    ExpiresAt: moment(key.expiresAtMs),
    LastUsedAt: moment(key.lastUsedAtMs),
  };
}

function keyAnswer(key: ApiKey | NewApiKey) {
  return { body: JSON.stringify({ Status: 'Ok', ApiKey: keyBody(key) }) };
}

function expiryIn({ ExpiresAt = '' }: Values): { expiresAtMs?: number } {
  if (ExpiresAt === '') return {};
  const expiresAtMs = Date.parse(String(ExpiresAt));
  if (!Number.isNaN(expiresAtMs)) return { expiresAtMs };
  const Path = pathOf('ApiKey', 'ExpiresAt');
  throw invalid([{ Path, Code: 'format', Message: 'is no date and time of the calendar' }]);
}

const readBody = Object.fromEntries(
  Object.entries(authOperations).map(([name, operation]) => [name, compileBody(operation)]),
) as Readonly<Record<AuthOperationName, (body: unknown) => Values>>;

const listKeys: Serve = async ({ bearer }, { identity }) => (await identity.apiKeys(bearer)).map(keyBody);

/** What serves each operation. */
const serving: Readonly<Record<AuthOperationName, Serve>> = {
  login: async ({ body, ip }, { identity }) => {
    const { Username, Password } = readBody.login(body);
    const attempt = { username: String(Username), password: String(Password), address: ip };
    return sessionBody(await identity.login(attempt));
  },
  refresh: async ({ bearer, body }, { identity }) => {
    readBody.refresh(body);
    return sessionBody(await identity.refresh(bearer));
  },
  logout: async ({ bearer, body }, { identity }) => {
    readBody.logout(body);
    await identity.logout(bearer);
    return { Status: 'Ok' };
  },
  account: ({ bearer }, { identity }) => identity.account(bearer),
  addApiKey: (request, { identity, store }) => {
    const values = readBody.addApiKey(request.body);
    const wanted = { label: String(values.Label), ...expiryIn(values) };
    return perform({ store }, callOf(request), async (transaction) => ({
      ...keyAnswer(await identity.addApiKey(request.bearer, wanted, transaction.identity)),
      isSecret: true,
    }));
  },
  getApiKeys: (request, context) => {
    readNumbers([], request.query as Values);
    return listKeys(request, context);
  },
  postApiKeys: (request, context) => {
    readBody.postApiKeys(request.body);
    return listKeys(request, context);
  },
  revokeApiKey: (request, { identity, store }) => {
    const { Id } = readBody.revokeApiKey(request.body);
    return perform({ store }, callOf(request), async (transaction) =>
      keyAnswer(await identity.revokeApiKey(request.bearer, Number(Id), transaction.identity)),
    );
  },
};

function isAnswer(value: object): value is Answer {
  return 'body' in value;
}

/** The routes under `/api/auth/` (specification 4.1; decisions A1 to A5). */
export function registerAuth(app: FastifyInstance, context: AuthContext): void {
  for (const [name, { method, path, access }] of Object.entries(authOperations)) {
    const serve = serving[name as AuthOperationName];
    app.route({
      method,
      url: path,
      config: access,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const { bodyFaults = [] } = request;
        if (bodyFaults.length > 0) throw invalid(bodyFaults);
        const answer = await serve(request, context);
        return isAnswer(answer) ? send(reply, answer) : answer;
      },
    });
  }
}
