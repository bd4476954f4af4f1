import type { Found, Json } from '../openapi/document.ts';
import { jsonOf } from '../postgres/caller.ts';
import { resolved } from './drawn.ts';
import type { Inventory } from './inventory.ts';
import type { FuzzCase, Who } from './requests.ts';
import type { RunningExchange } from './running-exchange.ts';
import { spoil } from './spoiling.ts';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A case with everything drawn, as it goes over the wire. */
export interface Sent {
  /** With the query. */
  readonly path: string;
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers };
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown;
}

function formOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Json)) {
    for (const each of [value].flat()) {
      if (name === 'File') form.append(name, new Blob([String(each)]), 'lines.txt');
      else form.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each));
    }
  }
  return form;
}

/** JSON that is cut off. */
const broken = (text: string) =>
  text.slice(0, Math.max(1, Math.floor(text.length / 2))).replace(/[}\]"]$/, '');

function wireBody({ form }: FuzzCase, body: unknown): RequestInit['body'] | undefined {
  if (form === 'none' || body === undefined) return undefined;
  if (form === 'multipart') return formOf(body);
  const text = JSON.stringify(body);
  return form === 'broken' ? broken(text) : text;
}

/** Header values are bytes: what is none of Latin-1 cannot be sent at all. */
const isSendable = (value: unknown) => /^[\x20-\x7e\xa0-\xff]+$/.test(String(value));

function headersOf(
  { headers, isRepeated }: FuzzCase,
  { draw }: Inventory,
  token: string | undefined,
): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const text = resolved(value, draw);
    if (text !== undefined && isSendable(text)) all.set(name, String(text));
  }
  if (isRepeated && !all.has('idempotency-key')) all.set('idempotency-key', String(draw('FreshKey', 0)));
  if (token !== undefined) all.set('authorization', `Bearer ${token}`);
  return all;
}

/** Draws cases from what exists, and sends them to one exchange. */
export function createSender(
  exchange: RunningExchange,
  inventory: Inventory,
  tokens: ReadonlyMap<Who, string>,
) {
  const { url, identity, own } = exchange;
  const { draw } = inventory;
  const tokenOf = async (who: Who) =>
    who === 'fresh' ? (await identity.issueToken(own.mail)).accessToken : tokens.get(who);
  return {
    async prepare(request: FuzzCase, { path, method }: Found): Promise<Sent> {
      if (path.startsWith('/api/config/') && method === 'POST')
        inventory.renewConfig(jsonOf(await own.caller.get('/api/config/export')) as Json);
      const made = resolved(request.body, draw);
      spoil(made, request.spoils);
      const body = resolved(made, draw);
      const query = request.query.map(([name, value]) => [name, String(resolved(value, draw))]);
      const headers = headersOf(request, inventory, await tokenOf(request.who));
      const sent = wireBody(request, body);
      return {
        path: query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
        init: { method, headers, ...(sent === undefined ? {} : { body: sent }) },
        body: request.form === 'json' ? body : undefined,
      };
    },
    async send({ path, init }: Sent): Promise<Answer> {
      const answer = await fetch(url + path, init);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
  };
}
