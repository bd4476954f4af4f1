import { Agent as HttpAgent, request } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** An answer as another program reads it. */
export interface ReadByOthers {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In Latin-1. */
  readonly body: string;
  /** Whether the connection could be used again, as far as the answer says. */
  readonly isKept: boolean;
}

type Raw = readonly (string | Buffer)[];

/** Headers by lower-case names, repeated ones joined. */
function joined(raw: Raw): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    const found = raw[at + 1] ?? '';
    const value = typeof found === 'string' ? found : found.toString('latin1');
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return Object.fromEntries(headers);
}

/** Node's binding of llhttp, which `node:http` is made of. */
interface Parser {
  initialize(type: number, resource: object): void;
  execute(bytes: Buffer): number | Error;
  finish(): Error | undefined;
  [callback: number]: unknown;
}
interface ParserClass {
  new (): Parser;
  readonly RESPONSE: number;
  readonly kOnHeaders: number;
  readonly kOnHeadersComplete: number;
  readonly kOnBody: number;
  readonly kOnMessageComplete: number;
}
const { HTTPParser }: { HTTPParser: ParserClass } = createRequire(import.meta.url)('_http_common');

const parser = new HTTPParser();

/** Reads an answer with llhttp; undefined where it refuses the bytes, or they end too early. */
export function readByLlhttp(pieces: readonly Buffer[]): ReadByOthers | undefined {
  let raw: (string | Buffer)[] = [];
  let status = 0;
  let isKept = false;
  let isEnded = false;
  let answer: ReadByOthers | undefined;
  const body: Buffer[] = [];
  parser.initialize(HTTPParser.RESPONSE, {});
  // Fields that come after the head are trailers, which are no headers of the answer.
  parser[HTTPParser.kOnHeaders] = (more: Raw) => status < 200 && raw.push(...more);
  // Of what llhttp tells: [2] headers, [5] the status, [7] whether it is an upgrade, [8] whether the connection stays.
  parser[HTTPParser.kOnHeadersComplete] = (...told: readonly unknown[]) => {
    if (answer !== undefined) return 0;
    raw.push(...((told[2] ?? []) as Raw));
    status = Number(told[5]);
    isKept = told[8] === true;
    isEnded ||= told[7] === true;
    return 0;
  };
  parser[HTTPParser.kOnBody] = (part: Buffer) => void (answer === undefined && body.push(Buffer.from(part)));
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (status >= 200 && !isEnded)
      answer ??= { status, isKept, headers: joined(raw), body: Buffer.concat(body).toString('latin1') };
    else if (status < 200) raw = [];
  };
  for (const piece of pieces) {
    if (answer !== undefined || isEnded) return answer;
    if (typeof parser.execute(piece) !== 'number') return answer;
  }
  parser.finish();
  return answer;
}

/** A socket of memory that says the given pieces and ends. */
function speaking(pieces: readonly Buffer[]): Socket {
  const duplex = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const itself = () => duplex;
  Object.assign(duplex, {
    setTimeout: itself,
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
  });
  for (const piece of pieces) if (piece.length > 0) duplex.push(piece);
  duplex.push(null);
  return duplex as Socket;
}

/** Reads an answer with `node:http`. */
export function readByNode(pieces: readonly Buffer[]): Promise<ReadByOthers | undefined> {
  return new Promise((resolve) => {
    const socket = speaking(pieces);
    const agent = new HttpAgent();
    let hasBegun = false;
    agent.createConnection = () => socket;
    const done = (answer?: ReadByOthers) => {
      resolve(answer);
      socket.destroy();
    };
    const sent = request({ host: 'dsp.example', method: 'POST', agent, headers: { 'content-length': 0 } });
    sent.on('error', () => done());
    sent.on('close', () => hasBegun || done());
    sent.on('upgrade', () => done());
    sent.on('response', (response) => {
      hasBegun = true;
      const body: Buffer[] = [];
      const { statusCode: status = 0, rawHeaders } = response;
      response.on('close', () => done());
      response.on('error', () => done());
      response.on('data', (part: Buffer) => body.push(part));
      response.on('end', () => {
        if (!response.complete) return done();
        done({
          status,
          isKept: true,
          headers: joined(rawHeaders),
          body: Buffer.concat(body).toString('latin1'),
        });
      });
    });
    sent.end();
  });
}
