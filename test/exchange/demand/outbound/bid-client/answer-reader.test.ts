import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AnswerReader } from '../../../../../src/exchange/demand/outbound/bid-client/answer-reader.ts';

const bounds = { headBytesMax: 400, bodyBytesMax: 64 };

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

interface Read {
  readonly body: string;
  readonly status?: number;
  /** Value of `Keep-Alive`; null where the connection ends with the answer. */
  readonly keepAlive?: string | null;
  readonly hasRest?: boolean;
}

/** What is plainly valid. The connection ends after the bytes where `ends`. */
const valid: readonly (readonly [name: string, text: string, read: Read, ends?: 'ends'])[] = [
  ['a length', `${ok}content-length: 2\r\n\r\nhi`, { body: 'hi', keepAlive: '' }],
  ['a length of nothing', `${ok}content-length: 0\r\n\r\n`, { body: '' }],
  ['a length with zeros before it', `${ok}content-length: 002\r\n\r\nhi`, { body: 'hi' }],
  ['a length in other case and spaces', `${ok}CONTENT-Length:   2  \r\n\r\nhi`, { body: 'hi' }],
  ['no reason', 'HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n', { body: '' }],
  ['not even the space before a reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', { body: '' }],
  ['a value of nothing', `${ok}x:\r\ncontent-length: 0\r\n\r\n`, { body: '' }],
  ['bytes of Latin-1 in a value', `${ok}x: K\xf6ln\xa0\r\ncontent-length: 0\r\n\r\n`, { body: '' }],
  ['chunks', `${chunked}2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n`, { body: 'hi!', keepAlive: '' }],
  ['sizes of chunks in hexadecimal', `${chunked}0a\r\n0123456789\r\nB\r\n01234567890\r\n0\r\n\r\n`, { body: '012345678901234567890' }],
  ['no chunk but the last', `${chunked}0\r\n\r\n`, { body: '' }],
  ['an extension of a chunk', `${chunked}2;foo=bar\r\nhi\r\n0\r\n\r\n`, { body: 'hi', keepAlive: '' }],
  ['extensions with blanks and texts in quotes', `${chunked}2 ; a ; b="c;\\"d\xf6" ;e\t=\tf\r\nhi\r\n0;last\r\n\r\n`, { body: 'hi' }],
  ['an extension that looks like a chunk', `${chunked}2;a="0"\r\nhi\r\n0\r\n\r\n`, { body: 'hi' }],
  ['sizes padded to four digits', `${chunked}2   \r\nhi\r\na \t\r\n0123456789\r\n0   \r\n\r\n`, { body: 'hi0123456789', keepAlive: '' }],
  ['trailers', `${chunked}2\r\nhi\r\n0\r\nx-sum: 1\r\nserver-timing: a;dur=1\r\n\r\n`, { body: 'hi', keepAlive: '' }],
  ['a trailer that would end the connection', `${chunked}0\r\nconnection: close\r\nkeep-alive: timeout=1\r\ncontent-encoding: gzip\r\n\r\n`, { body: '', keepAlive: '' }],
  ['an answer after trailers', `${chunked}0\r\nx: y\r\n\r\n${ok}content-length: 4\r\n\r\nevil`, { body: '', hasRest: true }],
  ['a body up to the end', `${ok}\r\nhi`, { body: 'hi', keepAlive: null }, 'ends'],
  ['nothing up to the end', `${ok}\r\n`, { body: '', keepAlive: null }, 'ends'],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', keepAlive: '' }],
  ['204 with a length of nothing', 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n', { status: 204, body: '' }],
  ['304 with the length that a 200 would have', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', { status: 304, body: '' }],
  ['100 before the answer', `HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 2\r\n\r\nhi`, { status: 200, body: 'hi' }],
  ['103 with fields, twice', `${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(2)}${ok}content-length: 0\r\n\r\n`, { body: '' }],
  ['Connection: close', `${ok}connection: close\r\ncontent-length: 0\r\n\r\n`, { body: '', keepAlive: null }],
  ['close among others', `${ok}connection: x, Close\r\ncontent-length: 0\r\n\r\n`, { body: '', keepAlive: null }],
  ['keep-alive and close', `${ok}connection: keep-alive\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, { body: '', keepAlive: null }],
  ['Keep-Alive', `${ok}keep-alive: timeout=7\r\ncontent-length: 0\r\n\r\n`, { body: '', keepAlive: 'timeout=7' }],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', { body: 'hi', keepAlive: null }],
  ['HTTP/1.0 that keeps', 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n', { body: '', keepAlive: '' }],
  ['HTTP/1.0 up to the end', 'HTTP/1.0 200 OK\r\n\r\nhi', { body: 'hi', keepAlive: null }, 'ends'],
  ['a body as long as the bound', `${ok}content-length: 64\r\n\r\n${'x'.repeat(64)}`, { body: 'x'.repeat(64) }],
  ['bytes after the answer', `${ok}content-length: 2\r\n\r\nhi!`, { body: 'hi', hasRest: true }],
  ['an answer after the answer', `${ok}content-length: 0\r\n\r\n${ok}content-length: 4\r\n\r\nevil`, { body: '', hasRest: true }],
  ['bytes after the last chunk', `${chunked}0\r\n\r\nx`, { body: '', hasRest: true }],
  ['a body after 204', 'HTTP/1.1 204 No Content\r\n\r\nhi', { status: 204, body: '', hasRest: true }],
]; // biome-ignore format: a table

/** What is refused, and the part of the answer that is wrong. */
const refused: readonly (readonly [name: string, text: string, fault: string])[] = [
  ['HTTP/0.9', '<VAST version="3.0"/>', 'status line'],
  ['HTTP/2 in clear', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80', 'status line'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'status line'],
  ['an unknown version', 'HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['HTTP/2.0 as a line', 'HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['lower case', 'http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['two spaces', 'HTTP/1.1  200 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['a tab', 'HTTP/1.1\t200 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['a status below 100', 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['a status above 599', 'HTTP/1.1 600 OK\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['an empty line first', `\r\n${ok}content-length: 0\r\n\r\n`, 'status line'],
  ['NUL in the reason', 'HTTP/1.1 200 O\0K\r\ncontent-length: 0\r\n\r\n', 'status line'],
  ['LF after the status', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n', 'status line'],
  ['LF after a field', `${ok}content-length: 0\n\r\n`, 'header'],
  ['LF at the end of the head', `${ok}content-length: 0\r\n\n`, 'header'],
  ['CR within a value', `${ok}x: a\rb\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['CR CR LF', `${ok}x: a\r\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['NUL in a value', `${ok}x: a\0b\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['NUL in a name', `${ok}x\0: a\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['a control character in a value', `${ok}x: a\x0bb\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['DEL in a value', `${ok}x: \x7f\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['a space before the colon', `${ok}content-length : 2\r\n\r\nhi`, 'header'],
  ['a tab before the colon', `${ok}transfer-encoding\t: chunked\r\n\r\n0\r\n\r\n`, 'header'],
  ['no colon', `${ok}content-length\r\n\r\n`, 'header'],
  ['no name', `${ok}: x\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['a byte above 127 in a name', `${ok}x\xf6: x\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['obs-fold', `${ok}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['obs-fold of a length', `${ok}content-length:\r\n\t2\r\n\r\nhi`, 'content-length'],
  ['obs-fold after the status', `${ok} x: a\r\ncontent-length: 0\r\n\r\n`, 'header'],
  ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nhi!`, 'content-length'],
  ['the same length twice', `${ok}content-length: 2\r\ncontent-length: 2\r\n\r\nhi`, 'content-length'],
  ['a list of lengths', `${ok}content-length: 2, 2\r\n\r\nhi`, 'content-length'],
  ['a length below 0', `${ok}content-length: -1\r\n\r\n`, 'content-length'],
  ['a length with a plus', `${ok}content-length: +2\r\n\r\nhi`, 'content-length'],
  ['a length in hexadecimal', `${ok}content-length: 0x2\r\n\r\nhi`, 'content-length'],
  ['a length with a fraction', `${ok}content-length: 2.0\r\n\r\nhi`, 'content-length'],
  ['a length of 2^64 + 2', `${ok}content-length: 18446744073709551618\r\n\r\nhi`, 'content-length'],
  ['a length of no digits', `${ok}content-length: \r\n\r\nhi`, 'content-length'],
  ['a space within a length', `${ok}content-length: 1 2\r\n\r\nhi`, 'content-length'],
  ['a no-break space after a length', `${ok}content-length: 2\xa0\r\n\r\nhi`, 'content-length'],
  ['a tab after a length', `${ok}content-length: 2\t\r\n\r\nhi`, 'content-length'],
  ['a length above the bound', `${ok}content-length: 65\r\n\r\n`, 'body'],
  ['a length and chunks', `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 'content-length with transfer-encoding'],
  ['chunks and a length', `${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n`, 'content-length with transfer-encoding'],
  ['chunked twice', `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['chunked, chunked', `${ok}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['gzip, chunked', `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['chunked, identity', `${ok}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['identity', `${ok}transfer-encoding: identity\r\n\r\n`, 'transfer-encoding'],
  ['xchunked', `${ok}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['chunked with a parameter', `${ok}transfer-encoding: chunked;q=1\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['chunked in quotes', `${ok}transfer-encoding: "chunked"\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['a vertical tab before chunked', `${ok}transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, 'header'],
  ['a tab after chunked', `${ok}transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n`, 'transfer-encoding'],
  ['no encoding of transfer', `${ok}transfer-encoding:\r\n\r\n`, 'transfer-encoding'],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 'transfer-encoding'],
  ['chunks in 204', 'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n', 'transfer-encoding'],
  ['chunks in 304', 'HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n', 'transfer-encoding'],
  ['a length in 204', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n', 'content-length'],
  ['a length in 100', 'HTTP/1.1 100 Continue\r\ncontent-length: 2\r\n\r\nhi', 'content-length'],
  ['close in 100', `HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n${ok}\r\n`, 'interim answers'],
  ['101', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n', 'upgrade'],
  ['a flood of interim answers', 'HTTP/1.1 100 \r\n\r\n'.repeat(9), 'interim answers'],
  ['interim answers longer than a head may be', `HTTP/1.1 103 \r\nx: ${'x'.repeat(180)}\r\n\r\n`.repeat(3), 'length of the head'],
  ['a field longer than a head may be', `${ok}x: ${'x'.repeat(500)}\r\n\r\n`, 'length of the head'],
  ['a field that does not end', `${ok}x: ${'x'.repeat(500)}`, 'length of the head'],
  ['more fields than a head may hold', `${ok}${'x: y\r\n'.repeat(100)}\r\n`, 'length of the head'],
  ['an extension without a name', `${chunked}2;\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['an extension that ends with LF', `${chunked}2;x=y\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['LF within an extension', `${chunked}2;x="\n0\r\n\r\n`, 'chunk size'],
  ['CR within an extension', `${chunked}2;x="\r"\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['CR LF within the quotes of an extension', `${chunked}2;x="\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['NUL within an extension', `${chunked}2;x=\0\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a byte of Latin-1 in an extension without quotes', `${chunked}2;x=\xf6\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['an extension without a semicolon', `${chunked}2 x=y\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['two sizes', `${chunked}2 2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a comma after a size', `${chunked}2,2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a vertical tab after a size', `${chunked}2\x0b\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['an extension longer than 256 bytes', `${chunked}2;x=${'y'.repeat(260)}\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size and spaces without end', `${chunked}2${' '.repeat(260)}`, 'chunk size'],
  ['extensions longer than a head may be', `${chunked}${`1;x=${'y'.repeat(40)}\r\nh\r\n`.repeat(12)}0\r\n\r\n`, 'length of the head'],
  ['a space before a size', `${chunked} 2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size of no digits', `${chunked}\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size below 0', `${chunked}-2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size with a plus', `${chunked}+2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size with 0x', `${chunked}0x2\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size that is no hexadecimal', `${chunked}g\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size of 2^64 + 2', `${chunked}10000000000000002\r\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a size that does not end', `${chunked}${'0'.repeat(40)}`, 'chunk size'],
  ['LF after a size', `${chunked}2\nhi\r\n0\r\n\r\n`, 'chunk size'],
  ['a chunk that is longer than its size', `${chunked}2\r\nhi!\r\n0\r\n\r\n`, 'chunk'],
  ['LF after a chunk', `${chunked}2\r\nhi\n0\r\n\r\n`, 'chunk'],
  ['chunks above the bound', `${chunked}${`20\r\n${'x'.repeat(32)}\r\n`.repeat(2)}1\r\nx\r\n0\r\n\r\n`, 'body'],
  ['a chunk above the bound', `${chunked}41\r\n`, 'body'],
  ['chunks as a trailer', `${chunked}0\r\nTransfer-Encoding: chunked\r\n\r\n`, 'trailer'],
  ['an answer in place of trailers', `${chunked}0\r\n${ok}content-length: 0\r\n\r\n`, 'trailer'],
  ['obs-fold in a trailer', `${chunked}0\r\nx: y\r\n z\r\n\r\n`, 'trailer'],
  ['LF after a trailer', `${chunked}0\r\nx: y\n\r\n`, 'trailer'],
  ['a space before the colon of a trailer', `${chunked}0\r\nx : y\r\n\r\n`, 'trailer'],
  ['trailers longer than a head may be', `${chunked}0\r\n${'x: yyyyyyyy\r\n'.repeat(50)}\r\n`, 'length of the head'],
  ['a trailer that does not end', `${chunked}0\r\nx: ${'y'.repeat(500)}`, 'length of the head'],
  ['a length as a trailer', `${chunked}0\r\ncontent-length: 5\r\n\r\n`, 'trailer'],
  ['LF after the last chunk', `${chunked}0\r\n\n`, 'trailer'],
  ['an endless body', `${ok}\r\n${'x'.repeat(65)}`, 'body'],
  ['an interim answer of HTTP/1.0', `HTTP/1.0 103 Early Hints\r\n\r\n${ok}\r\n`, 'interim answers'],
]; // biome-ignore format: a table

/** What ends before the answer does. */
const cut: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['in the status line', 'HTTP/1.1 2'],
  ['before the end of the head', `${ok}content-length: 0\r\n`],
  ['before CR LF is whole', `${ok}content-length: 0\r\n\r`],
  ['in the body', `${ok}content-length: 5\r\n\r\nhi`],
  ['in a size', `${chunked}2`],
  ['in a chunk', `${chunked}5\r\nhi`],
  ['after a chunk', `${chunked}2\r\nhi\r\n`],
  ['after the last chunk', `${chunked}2\r\nhi\r\n0\r\n`],
  ['in an extension', `${chunked}2;foo=`],
  ['in a trailer', `${chunked}2\r\nhi\r\n0\r\nx: y\r\n`],
  ['after an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
];

/** The text whole, byte by byte, and cut in two at every place. */
function waysOf(text: string): readonly (readonly Buffer[])[] {
  const bytes = Buffer.from(text, 'latin1');
  const bytewise = [...bytes].map((byte) => Buffer.from([byte]));
  const inTwo = [...bytes.keys()].map((at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], bytewise, ...inTwo];
}

function read(reader: AnswerReader, pieces: readonly Buffer[], ends: boolean): string {
  let progress = 'more';
  for (const piece of pieces) if (progress === 'more') progress = reader.push(Buffer.from(piece));
  return progress === 'more' && ends ? reader.end() : progress;
}

describe('an answer that is valid, in any pieces', () => {
  for (const [name, text, { body, status = 200, keepAlive, hasRest = false }, ends] of valid) {
    test(name, () => {
      const reader = new AnswerReader(bounds);
      for (const pieces of waysOf(text)) {
        reader.reset();
        assert.equal(read(reader, pieces, ends !== undefined), 'answer', String(pieces.length));
        assert.deepEqual({ status: reader.status, body: reader.body.toString('latin1') }, { status, body });
        if (keepAlive !== undefined) assert.equal(reader.keepAlive ?? null, keepAlive);
        // In pieces, what comes later is not pushed any more: the connection sees it.
        if (pieces.length === 1) assert.equal(reader.hasRest, hasRest);
      }
    });
  }
});

describe('an answer that is refused, in any pieces', () => {
  for (const [name, text, fault] of refused) {
    test(name, () => {
      for (const pieces of waysOf(text)) {
        const reader = new AnswerReader(bounds);
        assert.equal(read(reader, pieces, false), 'fault', pieces.map(String).join('|'));
        assert.equal(reader.fault, fault);
      }
    });
  }
});

describe('an answer that is cut short, in any pieces', () => {
  for (const [name, text] of cut) {
    test(name, () => {
      for (const pieces of waysOf(text)) {
        const reader = new AnswerReader(bounds);
        assert.equal(read(reader, pieces, false), 'more');
        assert.equal(reader.end(), 'fault');
        assert.equal(reader.fault, 'cut short');
      }
    });
  }
});

test('a body that came in one piece is not copied, and a later one overwrites nothing', () => {
  const reader = new AnswerReader(bounds);
  const first = Buffer.from(`${chunked}2\r\nhi\r\n`);
  assert.equal(reader.push(first), 'more');
  first.fill('#');
  assert.equal(reader.push(Buffer.from('1\r\n!\r\n0\r\n\r\n')), 'answer');
  assert.equal(reader.body.toString(), 'hi!');
});
