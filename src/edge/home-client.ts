import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { edgeProtocol, type TestUser } from '../management/edge/edge-home.ts';
import { ownMember } from '../reference/own-member.ts';

const connectMsMax = 10_000;
/** Beyond the longest wait for changes. */
const answerMsMax = 40_000;
const connectionsMax = 4;
const errorBytesMax = 10_000;

/** The home answers, but not what was asked: a retry would not help. */
export class HomeRefusal extends Error {
  /** Which setting is wrong, if known. */
  readonly setting: '--edge' | 'BOURSE_EDGE_KEY' | undefined;

  constructor(message: string, setting?: HomeRefusal['setting']) {
    super(message);
    this.setting = setting;
  }
}

/** All methods reject with a `HomeRefusal`, or with another error while the home is away. */
export interface HomeClient {
  /** The answer's bytes. */
  changes(had: Readonly<Record<string, string | number | undefined>>, signal: AbortSignal): Promise<Readable>;
  text(entity: string, id: number, revision: number, signal: AbortSignal): Promise<Readable>;
  user(id: number): Promise<TestUser | undefined>;
  /** Ships counts (`management/edge/shipment.ts`); returns up to which place of its source all is taken. */
  ship(shipment: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** Each fails on incomplete input. */
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  br: createBrotliDecompress,
  gzip: createGunzip,
  zstd: createZstdDecompress,
};

type HttpAnswer = Dispatcher.ResponseData;

function decoded({ headers, body }: HttpAnswer): Readable {
  const encoding = String(headers['content-encoding'] ?? '');
  if (encoding === '') return body;
  const decoder = ownMember(decoders, encoding)?.();
  if (!decoder) throw new HomeRefusal(`its answer has an unknown compression (${encoding})`);
  pipeline(body, decoder, () => undefined);
  return decoder;
}

async function textOf(body: Readable, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return Buffer.concat(chunks).toString();
}

function errorIn(text: string): string {
  try {
    const { Error: said } = JSON.parse(text) as { Error?: unknown };
    if (typeof said === 'string') return said;
  } catch {
    // Somebody else has answered.
  }
  return '';
}

/** For a status other than 200. */
function faultOf(status: number, said: string): Error {
  const words = said === '' ? `it answers ${status}` : said;
  if (status === 401 || status === 403) {
    return new HomeRefusal(`the home does not accept the key: ${words}`, 'BOURSE_EDGE_KEY');
  }
  if (status === 412 || status === 406) return new HomeRefusal(words);
  if (status === 408 || status === 429 || status >= 500) return new Error(words);
  return new HomeRefusal(`the server there is not a home of edges: ${words}`, '--edge');
}

export function createHomeClient(home: { readonly url: string; readonly key: string }): HomeClient {
  const agent = new Agent({
    connect: { timeout: connectMsMax },
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    connections: connectionsMax,
  });
  const base = new URL(home.url);
  const headers = { authorization: `Bearer ${home.key}`, 'accept-encoding': 'br, gzip' };
  const ask = async (
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    type: string,
    { signal, body: sent }: { readonly signal?: AbortSignal; readonly body?: Buffer } = {},
  ): Promise<Readable> => {
    const parameters = new URLSearchParams({ Protocol: String(edgeProtocol) });
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    const answer = await agent.request({
      origin: base.origin,
      headers,
      signal: signal ?? null,
      ...(sent ? { method: 'POST', body: sent } : { method: 'GET' }),
      path: `${base.pathname.replace(/\/$/, '')}/api/edge/${path}?${parameters}`,
    });
    const body = decoded(answer);
    if (answer.statusCode !== 200) {
      throw faultOf(answer.statusCode, errorIn(await textOf(body, errorBytesMax).catch(() => '')));
    }
    const is = String(answer.headers['content-type'] ?? '');
    if (is.startsWith(type)) return body;
    body.on('error', () => undefined).destroy();
    throw new HomeRefusal(`the server there is not a home of edges: it answers ${is || 'nothing'}`, '--edge');
  };
  return {
    changes: (had, signal) => ask('changes', had, 'application/x-ndjson', { signal }),
    text: (Entity, Id, Revision, signal) => ask('text', { Entity, Id, Revision }, 'text/plain', { signal }),
    async user(Id) {
      const text = await textOf(await ask('user', { Id }, 'application/json'), errorBytesMax);
      return (JSON.parse(text) as { User?: TestUser }).User;
    },
    async ship(body) {
      const text = await textOf(await ask('outbox', {}, 'application/json', { body }), errorBytesMax);
      const { TakenUntil } = JSON.parse(text) as { TakenUntil?: unknown };
      if (typeof TakenUntil === 'number') return TakenUntil;
      throw new Error('it does not say what it has accepted');
    },
    close: () => agent.destroy(),
  };
}
