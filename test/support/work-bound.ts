import assert from 'node:assert/strict';

const processorMsMax = 5000;

/**
 * Does work on a large input, which takes milliseconds where its steps grow as the input does, and minutes where they
 * grow as its square. What counts is this process's own time of a processor: a busy machine fails no test.
 */
export function assertGrowsEvenly(work: () => unknown, what: string): void {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1000 < processorMsMax, what);
}
