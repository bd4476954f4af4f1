import { setTimeout as delay } from 'node:timers/promises';
import { nap } from '../nap.ts';
import { type Answered, type LoadConnection, openConnections } from './connections.ts';
import type { Job, Outcome } from './job.ts';
import { requestsOf } from './request-texts.ts';
import { createTally, loadShare } from './tally.ts';

const pollMs = 1;

/** Connections that share all requests: a free one takes the next; if none is free, the request waits. */
async function openSharedConnections(job: Job) {
  const nextRequest = requestsOf(job);
  const free: LoadConnection[] = [];
  const waiting: number[] = [];
  let tally = createTally();
  const answered: Answered = (connection, waitMs, { bodyBytes }) => {
    tally.add(waitMs, bodyBytes);
    const nextMs = waiting.shift();
    if (nextMs === undefined) free.push(connection);
    else connection.send(nextRequest(), nextMs);
  };
  const connections = await openConnections(job.origin, job.connections, answered);
  // A server accepts a connection some time after it is made: one answer on each shows that it has. They are not
  // counted.
  for (const connection of connections.all) connection.send(nextRequest(), performance.now());
  while (free.length < connections.all.length) {
    connections.throwOnFailure();
    await delay(pollMs);
  }
  return {
    connections,
    begin() {
      tally = createTally();
      return tally;
    },
    send(dueMs: number): void {
      let connection = free.pop();
      while (connection && !connection.isOpen()) connection = free.pop();
      if (connection) connection.send(nextRequest(), dueMs);
      else waiting.push(dueMs);
    },
  };
}

/** Sends requests at an even rate, as players do. A wait counts from when its request was due. */
export async function openLoop(job: Job, perSecond: number): Promise<Outcome> {
  const { until } = job;
  if (!('seconds' in until)) throw new Error('a rate lasts for some seconds');
  const { connections, begin, send } = await openSharedConnections(job);
  using _connections = connections;
  const total = Math.floor(until.seconds * perSecond);
  const { sums, waitsMs } = begin();
  const share = loadShare();
  const startMs = performance.now();
  for (let sent = 0; sums.answers < total; ) {
    // The first is due at once.
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    for (; sent < due; sent += 1) send(startMs + (sent / perSecond) * 1000);
    await nap();
    connections.throwOnFailure();
  }
  return { ...sums, waitsMs, seconds: (performance.now() - startMs) / 1000, loadCpuShare: share() };
}
