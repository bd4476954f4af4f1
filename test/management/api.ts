import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Config } from '../../src/config.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ResourceName, resourceOf, resources } from './resources.ts';

export type Values = Readonly<Record<string, unknown>>;
export type Fetched = Values & { readonly Id: number };

/** An answer as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; an empty object where there is none. */
  readonly body: Values;
}

interface Sending {
  readonly method?: string;
  readonly body?: string | Uint8Array | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Speaks to one server under one token. */
export interface Api {
  /** Sends what it is told, and nothing but the token besides. */
  send(path: string, sending?: Sending): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  /** Operations that must succeed, on the resources under their names; each answers the object. */
  add(name: ResourceName, values?: Values): Promise<Fetched>;
  update(name: ResourceName, values: Values): Promise<Fetched>;
  one(name: ResourceName, id: number): Promise<Fetched>;
  all(name: ResourceName, query?: string): Promise<readonly Fetched[]>;
  /** The same server under another token. */
  as(token: string): Api;
}

/** Tests of compression ask for it: it takes a tenth of the time of all others. */
const plainly = { 'accept-encoding': 'identity' };

async function request(url: string, token: string, sending: Sending): Promise<Reply> {
  const { method = 'GET', body, headers = {} } = sending;
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(url, {
    method,
    headers: { ...plainly, ...authorization, ...headers },
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

let usernames = 0;

/** A name that no other object of the installation has. */
export function freshUsername(): string {
  usernames += 1;
  return `user-${usernames}`;
}

/** New values of the unique fields among these. */
export const freshIn = (values: Values): Values =>
  Object.fromEntries(
    ['Username', 'Code'].filter((name) => name in values).map((name) => [name, freshUsername()]),
  );

/** An object of an answer to a POST; fails with the answer's text where there is none. */
export function posted(reply: Reply, wrapper: string): Fetched {
  assert.equal(reply.status, 200, reply.text);
  const { Warnings: _, ...body } = reply.body;
  assert.deepEqual(Object.keys(body), ['Status', wrapper]);
  assert.equal(reply.body.Status, 'Ok');
  return reply.body[wrapper] as Fetched;
}

/** What `add` cannot do without, with owners that are made at the first use. */
function requiredValues(add: Api['add']): (name: ResourceName) => Promise<Values> {
  const owners = new Map<string, Promise<Fetched>>();
  const ownerId = async (name: 'Publisher' | 'Advertiser') => {
    const owner = owners.get(name) ?? add(name);
    owners.set(name, owner);
    return (await owner).Id;
  };
  return async (name) => {
    const { required, owner } = resourceOf(name);
    return { ...required, ...freshIn(required), ...(owner ? { [`${owner}Id`]: await ownerId(owner) } : {}) };
  };
}

export function createApi(url: string, token: string): Api {
  const send: Api['send'] = (path, sending = {}) => request(url + path, token, sending);
  const get: Api['get'] = (path) => send(path);
  const post: Api['post'] = (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) });
  const write = async (name: ResourceName, operation: string, values: Values) => {
    const { path, wrapper } = resources[name];
    return posted(await post(`/api/${path}/${operation}`, { [wrapper]: values }), wrapper);
  };
  const fetched = async (name: ResourceName, query: string) => {
    const reply = await get(`/api/${resources[name].path}/get${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const add: Api['add'] = async (name, values = {}) =>
    write(name, 'add', { ...(await required(name)), ...values });
  const required = requiredValues(add);
  return {
    send,
    get,
    post,
    add,
    update: (name, values) => write(name, 'update', values),
    one: async (name, id) => (await fetched(name, `?Id=${id}`)) as Fetched,
    all: async (name, query = '') => (await fetched(name, query)) as unknown as Fetched[],
    as: (other) => createApi(url, other),
  };
}

/** A server for the whole of a test file, and its administrator's access. */
export async function startApi(changes: Partial<Config> = {}): Promise<{ server: TestServer; api: Api }> {
  const server = await startTestServer(changes);
  after(() => server.close());
  return { server, api: createApi(server.url, server.token) };
}
