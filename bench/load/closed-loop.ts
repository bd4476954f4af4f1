import { setTimeout as delay } from 'node:timers/promises';
import { type Answered, openConnections } from './connections.ts';
import type { Job, Outcome } from './job.ts';
import { requestsOf } from './request-texts.ts';
import { createTally, loadShare } from './tally.ts';

const pollMs = 5;

/**
 * Sends the next request over each connection when the one before is answered, until the time or the amount is reached.
 */
export async function closedLoop(job: Job): Promise<Outcome> {
  const { until } = job;
  const nextRequest = requestsOf(job);
  const tally = createTally();
  const most = 'answers' in until ? until.answers : Number.POSITIVE_INFINITY;
  let sent = 0;
  let endMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  const answered: Answered = (connection, waitMs, { bodyBytes }) => {
    tally.add(waitMs, bodyBytes);
    lastMs = performance.now();
    if (lastMs < endMs && sent < most) {
      sent += 1;
      connection.send(nextRequest(), lastMs);
    }
  };
  using connections = await openConnections(job.origin, Math.min(job.connections, most), answered);
  const share = loadShare();
  const startMs = performance.now();
  if ('seconds' in until) endMs = startMs + until.seconds * 1000;
  sent = connections.all.length;
  for (const connection of connections.all) connection.send(nextRequest(), performance.now());
  while (tally.sums.answers < sent) {
    await delay(pollMs);
    connections.throwOnFailure();
  }
  const { sums, waitsMs } = tally;
  return { ...sums, waitsMs, seconds: (lastMs - startMs) / 1000, loadCpuShare: share() };
}
