import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, pathOf, Refusal } from '../../fields/fault.ts';
import { type ApiKey, demandKeyAdder, type NewApiKey } from '../../identity/api-keys.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Store, Values } from '../../store/interface.ts';
import { callOf, send } from '../call.ts';
import type { Answer } from '../context.ts';
import { logFailedLogin } from '../http/failed-login.ts';
import { readMoment } from '../input/moment.ts';
import { readNumbers } from '../input/query.ts';
import { compileCheck } from '../input/validation.ts';
import { unwrap } from '../input/wrapper.ts';
import { perform } from '../perform.ts';
import { type AuthOperation, type AuthOperationName, authOperations } from './auth-schemas.ts';

/** Answers a request with a body to send as JSON, or with a whole answer. */
type Serve = (request: FastifyRequest, context: AuthContext) => Promise<object>;

/** What the operations under `/api/auth/` work with. */
export interface AuthContext {
  readonly identity: Identity;
  readonly store: Store;
  /** IP address of who sent a request. */
  readonly clientAddress: (request: IncomingMessage) => string;
}

/** Members of an API key in answers. A request ignores those that it does not take itself (decisions W5). */
const answered = ['Id', 'Key', 'UserId', 'CreatedAt', 'ExpiresAt', 'LastUsedAt', 'Label'];

/** The whole body, where it has no wrapper. */
function bare(accepts: object, body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  const names = 'properties' in accepts ? Object.keys(accepts.properties as object) : [];
  const members = names.length === 0 ? '' : ` with \`${names.join('` and `')}\``;
  throw invalid([{ Path: '', Code: 'type', Message: `the body must be an object${members}` }]);
}

type ReadRequest = (request: Pick<FastifyRequest, 'body' | 'query'>) => Values;

/** Compiles how an operation's body is read: unwrapped, checked, every fault reported at once (decisions W4 to W6). */
function compileBody({ wrapper, accepts }: AuthOperation): (body: unknown) => Values {
  if (!accepts) return refuseMembers;
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

/**
 * Compiles how a request is read. Operations that write read their query in `perform`; the others take no parameters
 * (decisions W9).
 */
function compileRead(operation: AuthOperation): ReadRequest {
  const readBody = compileBody(operation);
  return ({ body, query }) => {
    if (!operation.access.writes) readNumbers([], query as Values);
    return readBody(body);
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

function shownTime(atMs: number | undefined): string {
  return atMs === undefined ? '' : new Date(atMs).toJSON();
}

function keyBody(key: ApiKey | NewApiKey) {
  return {
    Id: key.id,
    Label: key.label,
    ...('key' in key ? { Key: key.key } : {}),
    UserId: key.userId,
    CreatedAt: shownTime(key.createdAtMs),
    ExpiresAt: shownTime(key.expiresAtMs),
    LastUsedAt: shownTime(key.lastUsedAtMs),
  };
}

function keyAnswer(key: ApiKey | NewApiKey) {
  return { body: JSON.stringify({ Status: 'Ok', ApiKey: keyBody(key) }) };
}

function expiryIn({ ExpiresAt = '' }: Values): { expiresAtMs?: number } {
  if (ExpiresAt === '') return {};
  const moment = readMoment(String(ExpiresAt));
  if (moment) return { expiresAtMs: moment.fromMs };
  const Path = pathOf('ApiKey', 'ExpiresAt');
  throw invalid([{ Path, Code: 'format', Message: 'is no date and time of the calendar' }]);
}

const read = Object.fromEntries(
  Object.entries(authOperations).map(([name, operation]) => [name, compileRead(operation)]),
) as Readonly<Record<AuthOperationName, ReadRequest>>;

const listKeys: Serve = async (request, { identity }) => {
  read.postApiKeys(request);
  return (await identity.apiKeys(request.bearer)).map(keyBody);
};

/** What serves each operation. */
const serving: Readonly<Record<AuthOperationName, Serve>> = {
  login: async (request, { identity, clientAddress }) => {
    const { Username, Password } = read.login(request);
    const attempt = {
      username: String(Username),
      password: String(Password),
      address: clientAddress(request.raw),
    };
    try {
      return sessionBody(await identity.login(attempt));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthorized') logFailedLogin(request, attempt);
      throw error;
    }
  },
  refresh: async (request, { identity }) => {
    read.refresh(request);
    return sessionBody(await identity.refresh(request.bearer));
  },
  logout: async (request, { identity }) => {
    read.logout(request);
    await identity.logout(request.bearer);
    return { Status: 'Ok' };
  },
  account: ({ bearer }, { identity }) => identity.account(bearer),
  addApiKey: async (request, { identity, store }) => {
    // Checked even where the answer is remembered: a repeated request asks for the key again.
    demandKeyAdder(request.bearer);
    const values = read.addApiKey(request);
    const wanted = { label: String(values.Label), ...expiryIn(values) };
    return perform({ store }, callOf(request), async (transaction) => ({
      ...keyAnswer(await identity.addApiKey(request.bearer, wanted, transaction.identity)),
      isSecret: true,
    }));
  },
  getApiKeys: listKeys,
  postApiKeys: listKeys,
  revokeApiKey: (request, { identity, store }) => {
    const { Id } = read.revokeApiKey(request);
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
        const { bodyFaults = [] } = request;
        if (bodyFaults.length > 0) throw invalid(bodyFaults);
        const answer = await serve(request, context);
        return isAnswer(answer) ? send(reply, answer) : answer;
      },
    });
  }
}
