import assert from 'node:assert/strict';
import type { Fault } from '../../src/answers/failure.ts';
import type { Reply } from './api.ts';

/** The faults that an answer lists, in its order. */
export function faultsOf({ body }: Reply): readonly Fault[] {
  return (body.Errors ?? []) as Fault[];
}

/** The paths of an answer's faults, in order of the alphabet. */
export function pathsOf(reply: Reply): string[] {
  return faultsOf(reply)
    .map(({ Path }) => Path)
    .sort();
}

export interface Expected {
  readonly status: number;
  /** Every path that the faults name, and no other. */
  readonly paths?: readonly string[];
  /** What the readable text holds. */
  readonly says?: readonly (string | RegExp)[];
  /** What the answer must not hold anywhere. */
  readonly never?: readonly string[];
}

/** Checks an error body (specification 7; reference, W6, W7) and what is expected of this one. */
export function assertRefused(reply: Reply, expected: Expected): void {
  const { status, paths, says = [], never = [] } = expected;
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.body.Status, 'Error');
  const text = reply.body.Error;
  assert.ok(typeof text === 'string' && text !== '', `Error is a readable string: ${reply.text}`);
  for (const { Path, Code, Message } of faultsOf(reply)) {
    assert.deepEqual([typeof Path, typeof Code, typeof Message], ['string', 'string', 'string']);
    assert.ok(text.includes(Path), `Error names ${Path}: ${text}`);
  }
  if (paths) assert.deepEqual(pathsOf(reply), [...paths].sort(), reply.text);
  for (const part of says) {
    const isSaid: boolean = typeof part === 'string' ? text.includes(part) : part.test(text);
    assert.ok(isSaid, `says ${part}: ${text}`);
  }
  for (const part of never) assert.ok(!reply.text.includes(part), `holds ${part}: ${reply.text}`);
  assert.doesNotMatch(reply.text, /\bat .+\.[jt]s:\d+/, 'no stack');
}
