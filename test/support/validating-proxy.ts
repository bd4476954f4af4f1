import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ApiDocument, Checker, type Found, operationsOf } from '../openapi/document.ts';
import { listenOnLoopback } from './loopback.ts';

/** A server between a client and the exchange that holds both to the OpenAPI document. */
export interface ValidatingProxy {
  readonly url: string;
  /** What was wrong: with requests that the exchange served all the same, and with any answer. */
  readonly faults: readonly string[];
  /** How many requests were held against the document. */
  checked(): number;
  close(): Promise<void>;
}

interface Sent {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

/** A parameter's text as the type that its schema names. */
function typedValue({ schema }: Parameter, text: string): unknown {
  return schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}

/** What is wrong with the parameters of a request. */
function parameterFaults(checker: Checker, { operation, method, path }: Found, sent: Sent): string[] {
  const known = (operation.parameters ?? []) as unknown as readonly Parameter[];
  const unknown = [...sent.url.searchParams.keys()].filter((name) =>
    known.every((parameter) => parameter.in !== 'query' || parameter.name !== name),
  );
  const isStrict = '406' in operation.responses;
  const found = known.flatMap((parameter, index) => {
    const { name, required = false } = parameter;
    const text =
      parameter.in === 'query'
        ? sent.url.searchParams.get(name)
        : sent.headers[name.toLowerCase()]?.toString();
    if (text === null || text === undefined) return required ? [`parameter ${name} is missing`] : [];
    const place = ['paths', path, method.toLowerCase(), 'parameters', String(index), 'schema'];
    const fault = checker.faults(typedValue(parameter, text), ...place);
    return fault === '' ? [] : [`parameter ${name}: ${fault}`];
  });
  return [...(isStrict ? unknown.map((name) => `parameter ${name} is unknown`) : []), ...found];
}

/** What is wrong with a request's body. What is no form is JSON, whatever its type says (reference, W3). */
function bodyFaults(checker: Checker, { operation, method, path }: Found, { headers, body }: Sent): string[] {
  const content = operation.requestBody?.content;
  if (content === undefined) return [];
  if (headers['content-type']?.startsWith('multipart/form-data')) {
    return 'multipart/form-data' in content ? [] : ['no form is taken'];
  }
  const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
  const fault = checker.faults(parsed(body), ...place);
  return fault === '' ? [] : [`body: ${fault}`];
}

/** What is wrong with an answer. */
function answerFaults(checker: Checker, found: Found, answer: Response, body: Buffer): string[] {
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  if (body.length === 0)
    return String(answer.status) in found.operation.responses ? [] : [`${answer.status}`];
  const value = type === 'application/json' ? parsed(body) : body.toString('utf8');
  const fault = checker.answerFaults(found, answer.status, value, type);
  return fault === '' ? [] : [`answer ${answer.status}: ${fault}`];
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const hopByHop = new Set([
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
]);

async function forward(target: string, request: IncomingMessage, body: Buffer): Promise<Response> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || hopByHop.has(name) ? [] : [[name, value.toString()]],
  );
  const { method = 'GET', url = '/' } = request;
  const isBare = method === 'GET' || method === 'HEAD';
  return fetch(target + url, {
    method,
    headers,
    redirect: 'manual',
    ...(isBare ? {} : { body: new Uint8Array(body) }),
  });
}

async function pass(answer: Response, body: Buffer, reply: ServerResponse): Promise<void> {
  // `fetch` has decompressed the body.
  const headers = [...answer.headers].filter(([name]) => !hopByHop.has(name) && name !== 'content-encoding');
  reply.writeHead(answer.status, Object.fromEntries(headers)).end(body);
}

/**
 * Starts one before the exchange at `target`. It knows the standard formats of JSON Schema and none of ours, as the
 * validators of strangers do; requests to paths that the document does not have pass unseen.
 */
export async function startValidatingProxy(target: string): Promise<ValidatingProxy> {
  const document = (await (await fetch(`${target}/api/openapi.json`)).json()) as ApiDocument;
  const checker = new Checker(document, { ourFormats: false });
  const operations = new Map(operationsOf(document).map((found) => [found.name, found]));
  const faults: string[] = [];
  let checked = 0;
  const serve = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await bytesOf(request);
    const url = new URL(request.url ?? '/', target);
    const answer = await forward(target, request, body);
    const answered = Buffer.from(await answer.arrayBuffer());
    const found = operations.get(`${request.method} ${url.pathname}`);
    if (found) {
      checked += 1;
      const sent = { url, headers: request.headers, body };
      const asked =
        answer.status < 400
          ? [...parameterFaults(checker, found, sent), ...bodyFaults(checker, found, sent)]
          : [];
      const all = [...asked, ...answerFaults(checker, found, answer, answered)];
      faults.push(...all.map((fault) => `${found.name}: ${fault}`));
    }
    await pass(answer, answered, reply);
  };
  const server = createServer((request, reply) => {
    serve(request, reply).catch((error: unknown) => {
      faults.push(`${request.method} ${request.url}: ${error}`);
      reply.destroy();
    });
  });
  const { url, close } = await listenOnLoopback(server);
  return { url, faults, checked: () => checked, close };
}
