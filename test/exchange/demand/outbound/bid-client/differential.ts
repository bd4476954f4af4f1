import assert from 'node:assert/strict';
import { headersOf } from '../../../../../src/exchange/demand/outbound/bid-client/answer-headers.ts';
import { AnswerReader } from '../../../../../src/exchange/demand/outbound/bid-client/answer-reader.ts';
import { randomFrom } from '../../../../support/seed.ts';
import { drawBytes } from './drawn-answers.ts';
import type { ReadByOthers } from './read-by-others.ts';

const bounds = { headBytesMax: 16_384, bodyBytesMax: 524_288 };

interface ReadByUs {
  readonly answer: ReadByOthers;
  /** Whether bytes came after the answer. Then `node:http` throws the answer away with its connection; we only the connection. */
  readonly hasRest: boolean;
}

/** What our reader makes of bytes: an answer, or undefined where it refuses them. */
function readByUs(pieces: readonly Buffer[]): ReadByUs | undefined {
  const reader = new AnswerReader(bounds);
  let progress = 'more';
  for (const piece of pieces) {
    if (progress !== 'more') break;
    // As a socket's buffer, which the next piece overwrites.
    const copy = Buffer.from(piece);
    progress = reader.push(copy);
    if (progress === 'more') copy.fill('#');
  }
  if (progress === 'more') progress = reader.end();
  if (progress === 'fault') return undefined;
  const { status, keepAlive, headText, body, hasRest } = reader;
  const isKept = keepAlive !== undefined && !hasRest;
  return { answer: { status, isKept, headers: headersOf(headText), body: body.toString('latin1') }, hasRest };
}

function isSame(one: ReadByOthers, other: ReadByOthers): boolean {
  if (one.status !== other.status || one.body !== other.body) return false;
  return JSON.stringify(one.headers) === JSON.stringify(other.headers);
}

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quoted = '"(?:[^\\0-\\x08\\n-\\x1f\\x7f"\\\\]|\\\\[^\\0-\\x08\\n-\\x1f\\x7f])*"';
const blanks = '[ \\t]*';
const extension = `;${blanks}${token}${blanks}(?:=${blanks}(?:${token}|${quoted})${blanks})?`;
/** A line with a chunk's size (RFC 9112 section 7.1.1). */
const sizeLine = new RegExp(`([0-9a-f]{1,8})${blanks}(?:${extension})*\\r\\n`, 'iy');

/** An answer in chunks without what may stand behind their sizes: llhttp takes blanks there only if it is told so. */
function withPlainSizes(pieces: readonly Buffer[]): readonly Buffer[] {
  const text = Buffer.concat(pieces).toString('latin1');
  let [head, at] = [0, 0];
  for (let isInterim = true; isInterim; ) {
    head = at;
    isInterim = /^HTTP\/1\.1 1/.test(text.slice(at));
    at = text.indexOf('\r\n\r\n', at) + 4;
  }
  if (!/\r\ntransfer-encoding:[^\r]*chunked/i.test(text.slice(head, at))) return pieces;
  let plain = text.slice(0, at);
  for (let size = 1; size > 0; ) {
    sizeLine.lastIndex = at;
    const [line = '', digits = '0'] = sizeLine.exec(text) ?? [];
    size = Number.parseInt(digits, 16);
    const next = at + line.length + (size > 0 ? size + 2 : 0);
    plain += line === '' ? '' : `${digits}\r\n${text.slice(at + line.length, next)}`;
    at = next;
  }
  const bytes = Buffer.from(plain + text.slice(at), 'latin1');
  return pieces.length === 1 ? [bytes] : [...bytes].map((byte) => Buffer.of(byte));
}

/** How many cases were read, by what became of them. */
export interface Compared {
  cases: number;
  /** That we read as an answer, in the same way as others do. */
  answered: number;
  /** That we refuse though others read an answer: we are stricter. */
  stricter: number;
}

/**
 * Compares what our reader and another make of drawn bytes, one case a seed. Ours may refuse what is not valid, but must
 * read no other answer than the other, must keep no connection that the other ends, and must read what is valid.
 */
export async function compareReaders(
  other: (pieces: readonly Buffer[]) => ReadByOthers | undefined | Promise<ReadByOthers | undefined>,
  firstSeed: number,
  cases: number,
): Promise<Compared> {
  const compared: Compared = { cases: 0, answered: 0, stricter: 0 };
  for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
    const { pieces, said } = drawBytes(randomFrom(seed));
    const ours = readByUs(pieces);
    const strict = await other(pieces);
    const theirs = strict ?? (ours && (await other(withPlainSizes(pieces))));
    const shown = () => `seed ${seed}: ${JSON.stringify(pieces.map((piece) => piece.toString('latin1')))}`;
    if (ours !== undefined && (theirs !== undefined || !ours.hasRest)) {
      const { answer } = ours;
      if (theirs === undefined) assert.fail(`only we read an answer: ${shown()}`);
      if (!isSame(answer, theirs)) assert.deepEqual({ ...answer, isKept: theirs.isKept }, theirs, shown());
      if (answer.isKept && !theirs.isKept) assert.fail(`we keep a connection that others end: ${shown()}`);
    }
    if (said !== undefined && (ours?.answer.status !== said.status || ours.answer.body !== said.body))
      assert.fail(`we refuse, or misread, what is valid: ${shown()}`);
    compared.cases += 1;
    if (ours !== undefined) compared.answered += 1;
    else if (theirs !== undefined) compared.stricter += 1;
  }
  return compared;
}
