import assert from 'node:assert/strict';
import { Refusal, type RefusalCode } from '../../src/fields/fault.ts';

/** The refusal that a call ends in; fails the test where it ends otherwise. */
export async function refused(call: Promise<unknown>, code: RefusalCode, says = /./): Promise<Refusal> {
  const outcome = await call.then(
    (value) => assert.fail(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Refusal, String(outcome));
  assert.equal(outcome.code, code, outcome.message);
  assert.match(outcome.message, says);
  return outcome;
}
