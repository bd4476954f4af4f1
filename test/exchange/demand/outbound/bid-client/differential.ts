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
export function readByUs(pieces: readonly Buffer[]): ReadByUs | undefined {
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
    const awaited = other(pieces);
    const theirs = awaited instanceof Promise ? await awaited : awaited;
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
