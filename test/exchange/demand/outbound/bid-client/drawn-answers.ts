import type { Random } from '../../../../../src/simulation/random.ts';

/** Bytes as a partner may send them, in the pieces in which they come. */
export interface DrawnBytes {
  readonly pieces: readonly Buffer[];
  /** What the answer says, where it is a valid one that ends with the bytes. */
  readonly said?: SaidAnswer | undefined;
}

/** What an answer says that was put together by the rules. */
interface SaidAnswer {
  readonly status: number;
  readonly body: string;
}

interface ValidAnswer extends SaidAnswer {
  readonly text: string;
}

const below = (random: Random, count: number) => Math.floor(random() * count);
const oneOf = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[below(random, values.length)] ?? values[0];

const statuses = [200, 200, 200, 204, 304, 404, 500, 302, 599] as const;
const reasons = ['OK', '', 'Not Found', 'a\tb', 'K\xf6ln'] as const;
const otherFields = [
  'Content-Type: application/json',
  'x-a:',
  'X-B:\t b \t',
  'set-cookie: a=1; b="2"',
  'x-latin: K\xf6ln\xa0',
  'date: Mon, 23 Nov 2026 07:00:00 GMT',
  "!#$%&'*+-.^_`|~: token",
] as const;
const connectionFields = [
  'Connection: close',
  'connection: Keep-Alive',
  'connection: x, CLOSE',
  'keep-alive: timeout=5',
  'Keep-Alive: max=3, timeout=60',
] as const;
const interims = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  'HTTP/1.1 102 \r\n\r\n',
] as const;
const bodies = [
  '',
  '{}',
  '{"id":"1"}',
  'a\r\n\r\nb',
  '0\r\n\r\n',
  '\0\xff',
  'HTTP/1.1 200 OK\r\n\r\n',
] as const;

function randomBody(random: Random): string {
  if (random() < 0.8) return oneOf(random, bodies);
  return String.fromCharCode(...Array.from({ length: below(random, 60) }, () => below(random, 256)));
}

/** What may stand behind a chunk's size (RFC 9112 section 7.1.1), and after the last chunk (7.1.2). */
const behindSize = [
  '  ',
  '\t',
  ';a',
  ';foo=bar',
  ';a="b;\\"c"',
  ' ; a = "\xf6"',
  ';x="0"',
  ';a;b=c',
] as const;
const trailers = ['x-sum: 1', 'server-timing: a;dur=1', 'connection: close', 'x:'] as const;

function inChunks(random: Random, body: string): string {
  const behind = () => (random() < 0.2 ? oneOf(random, behindSize) : '');
  let text = '';
  for (let at = 0; at < body.length; ) {
    const part = body.slice(at, at + 1 + below(random, body.length));
    const size = part.length.toString(16);
    text += `${random() < 0.2 ? `00${size}` : size.toUpperCase()}${behind()}\r\n${part}\r\n`;
    at += part.length;
  }
  const after = random() < 0.2 ? `${oneOf(random, trailers)}\r\n`.repeat(1 + below(random, 2)) : '';
  return `${text}${random() < 0.1 ? '000' : '0'}${behind()}\r\n${after}\r\n`;
}

const fieldNames = {
  chunked: ['Transfer-Encoding: chunked', 'transfer-encoding:chunked', 'TRANSFER-ENCODING:  Chunked '],
  counted: ['Content-Length: ', 'content-length:', 'CONTENT-LENGTH:  ', 'content-length: 0'],
} as const;

/** An answer by the rules of RFC 9112. */
function validAnswer(random: Random): ValidAnswer {
  const status = oneOf(random, statuses);
  const hasBody = status !== 204 && status !== 304;
  const isHttp10 = random() < 0.1;
  const body = hasBody ? randomBody(random) : '';
  const framing = hasBody ? oneOf(random, ['counted', 'counted', 'chunked', 'toEnd'] as const) : 'none';
  const fields: string[] = Array.from({ length: below(random, 4) }, () => oneOf(random, otherFields));
  if (random() < 0.4) fields.push(oneOf(random, connectionFields));
  const isChunked = framing === 'chunked' && !isHttp10;
  if (isChunked) fields.splice(below(random, fields.length + 1), 0, oneOf(random, fieldNames.chunked));
  else if (framing === 'counted') {
    fields.splice(below(random, fields.length + 1), 0, `${oneOf(random, fieldNames.counted)}${body.length}`);
  }
  const reason = oneOf(random, reasons);
  const line = `HTTP/1.${isHttp10 ? 0 : 1} ${status}${random() < 0.05 ? '' : ` ${reason}`}`;
  const before = random() < 0.1 ? oneOf(random, interims).repeat(1 + below(random, 3)) : '';
  const content = isChunked ? inChunks(random, body) : body;
  return { status, body, text: `${before}${[line, ...fields].join('\r\n')}\r\n\r\n${content}` };
}

/** Lines that mislead whoever reads answers less strictly than whoever wrote them. */
const misleading = [
  'Content-Length: 3',
  'Content-Length: 3, 3',
  'Content-Length: +3',
  'Content-Length: -3',
  'Content-Length: 0x3',
  'Content-Length: 3 ',
  'Content-Length: 3\xa0',
  'Content-Length: 99999999999999999999',
  'Content-Length : 3',
  'Content-Length:',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked\t',
  'Content-Length:\t3\t',
  'Transfer-Encoding: chunked\xa0',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:',
  'Transfer-Encoding: gzip, chunked',
  ' folded',
  '\tfolded',
  ': no name',
  'no colon',
  'x: \0',
  'x: a\rb',
  'x: a\nb: c',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: close\xa0',
  'Upgrade: h2c',
  'Trailer: x',
] as const;
const fragments = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  '0',
  '5',
  '-',
  '+',
  ',',
  ';',
  '\xff',
  '\x7f',
  '\x80',
  '0\r\n\r\n',
  '0\r\nx: y\r\n\r\n',
  ';ext=1',
  ';ext="',
  ' ;',
  'x: y\r\n',
  'content-length: 3\r\n',
  '100',
  '101',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/0.9',
  'ffffffff',
] as const;

type Mutation = (random: Random, text: string) => string;

const mutations: readonly [Mutation, ...Mutation[]] = [
  (random, text) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + oneOf(random, fragments as never as [string]) + text.slice(at);
  },
  (random, text) => {
    const at = below(random, text.length);
    return text.slice(0, at) + String.fromCharCode(below(random, 256)) + text.slice(at + 1);
  },
  (random, text) => {
    const at = below(random, text.length);
    return text.slice(0, at) + text.slice(at + 1 + below(random, 4));
  },
  (random, text) => text.slice(0, below(random, text.length + 1)),
  (random, text) => {
    const at = below(random, text.length);
    const part = text.slice(at, at + below(random, 30));
    return text.slice(0, at) + part + text.slice(at);
  },
  (random, text) => {
    const lines = text.split('\r\n');
    lines.splice(1 + below(random, 4), 0, oneOf(random, misleading));
    return lines.join('\r\n');
  },
  (random, text) => {
    const lines = text.split('\r\n');
    lines[1 + below(random, 3)] = oneOf(random, misleading);
    return lines.join('\r\n');
  },
  (random, text) => {
    const at = text.indexOf('\r\n', below(random, text.length));
    return at === -1
      ? text
      : `${text.slice(0, at)}${oneOf(random, ['\n', '\r', '\r\r\n', '\n\r'])}${text.slice(at + 2)}`;
  },
  (random, text) => {
    const other = validAnswer(random).text;
    return text.slice(0, below(random, text.length + 1)) + other.slice(below(random, other.length + 1));
  },
  (random, text) => text + validAnswer(random).text,
];

function mutated(random: Random, text: string): string {
  let result = text;
  for (let left = 1 + below(random, 3); left > 0; left -= 1)
    result = oneOf(random, mutations)(random, result);
  return result;
}

function inPieces(random: Random, bytes: Buffer): readonly Buffer[] {
  if (random() < 0.4 || bytes.length === 0) return [bytes];
  const longest = random() < 0.3 ? 1 : 1 + below(random, bytes.length);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + below(random, longest);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

const validShare = 0.25;

/** Draws what a partner sends: a valid answer, or one that was changed, cut, or put together with others. */
export function drawBytes(random: Random): DrawnBytes {
  const answer = validAnswer(random);
  const isValid = random() < validShare;
  const text = isValid ? answer.text : mutated(random, answer.text);
  return { pieces: inPieces(random, Buffer.from(text, 'latin1')), said: isValid ? answer : undefined };
}
