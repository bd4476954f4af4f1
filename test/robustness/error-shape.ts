import assert from 'node:assert/strict';
import type { Json, Reply } from './api.ts';

/** A fault as a client reads it (reference, W7). */
export interface ShownFault {
  readonly Path: string;
  readonly Code: string;
  readonly Message: string;
}

/** What must never reach a client: stacks, and the program's own files. */
const innards = /\n\s+at |node_modules|node:internal|\.ts:\d|\/src\//;

/** The faults of an answer. */
export function faultsOf({ body }: Pick<Reply, 'body'>): readonly ShownFault[] {
  return (body.Errors ?? []) as ShownFault[];
}

/** Asserts that an answer is the error body of the specification's section 7, and tells nothing of the inside. */
export function assertErrorBody({ status, text, body, headers }: Reply, about = ''): void {
  assert.ok(status >= 400, `${about}: ${status} is no refusal`);
  assert.match(headers.get('content-type') ?? '', /^application\/json/, about);
  assertErrorShape(body, text, about);
}

/** The same of a body alone. */
export function assertErrorShape(body: Json, text: string, about = ''): void {
  const { Status, Error: message, Errors, ...rest } = body;
  assert.equal(Status, 'Error', `${about}: ${text.slice(0, 200)}`);
  assert.ok(typeof message === 'string' && message !== '', about);
  assert.deepEqual(rest, {}, about);
  assert.doesNotMatch(text, innards, about);
  if (Errors === undefined) return;
  assert.ok(Array.isArray(Errors) && Errors.length > 0, about);
  for (const fault of Errors as ShownFault[]) {
    assert.deepEqual(Object.keys(fault).sort(), ['Code', 'Message', 'Path'], about);
    assert.match(fault.Code, /^[a-z_]+$/, about);
    assert.ok(fault.Message !== '' && typeof fault.Path === 'string', about);
    assert.ok(message.includes(fault.Message), `${about}: the one message tells every fault`);
  }
}

/** Every path that a body has or could be missing, in the notation of faults, by a walk of its own. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => pathsIn(item, `${path}[${index}]`))
    : Object.entries(value).flatMap(([name, item]) => pathsIn(item, path === '' ? name : `${path}.${name}`));
  return [path, ...below];
}
