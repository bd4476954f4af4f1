import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CooperativeTask, runAtOnce, runInSlices } from '../../src/exchange/cooperative-task.ts';

test('work in slices lets others have a turn when its time is over, and comes to what it does at once', async () => {
  let clockMs = 0;
  let turns = 0;
  const pieces = function* (note: () => void): CooperativeTask<string> {
    for (let piece = 0; piece < 10; piece += 1) {
      clockMs += 1;
      note();
      yield;
    }
    return 'done';
  };
  assert.equal(runAtOnce(pieces(() => undefined)), 'done');
  const turnsBefore: number[] = [];
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await runInSlices(
    pieces(() => turnsBefore.push(turns)),
    3,
    () => clockMs,
  );
  isOver = true;
  assert.equal(result, 'done');
  assert.deepEqual(
    turnsBefore.map((before, piece) => before > (turnsBefore[piece - 1] ?? 0)),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((piece) => piece > 0 && piece % 3 === 0),
  );
});
