import { setTimeout as delay } from 'node:timers/promises';
import { nap } from '../nap.ts';
import { type Answered, type LoadConnection, openConnections } from './connections.ts';
import type { Job, Outcome } from './job.ts';
import { loadShare } from './load-share.ts';
import { requestsOf } from './request-texts.ts';
import { createTally } from './tally.ts';

const pollMs = 1;

/** Lanes that share all requests: a free lane takes the next one; when none is free, the request waits. */
async function openSharedConnections(job: Job) {
  const nextRequest = requestsOf(job);
  const free: LoadConnection[] = [];
  const waiting: number[] = [];
  let tally = createTally();
  const answered: Answered = (lane, waitMs, { bodyBytes }) => {
    tally.add(waitMs, bodyBytes);
    const nextMs = waiting.shift();
    if (nextMs === undefined) free.push(lane);
    else lane.send(nextRequest(), nextMs);
  };
  const lanes = await openConnections(job.origin, job.connections, answered);
  // A server accepts a connection some time after it is made: one answer on each shows that it has. They are not
  // counted.
  for (const lane of lanes.all) lane.send(nextRequest(), performance.now());
  while (free.length < lanes.all.length) {
    lanes.throwOnFailure();
    await delay(pollMs);
  }
  return {
    lanes,
    /** Counts from now on. */
    begin() {
      tally = createTally();
      return tally;
    },
    send(dueMs: number): void {
      let lane = free.pop();
      while (lane && !lane.isOpen()) lane = free.pop();
      if (lane) lane.send(nextRequest(), dueMs);
      else waiting.push(dueMs);
    },
  };
}

/** Sends requests at an even rate, as players do. A wait counts from when its request was due. */
export async function openLoop(job: Job, perSecond: number): Promise<Outcome> {
  const { until } = job;
  if (!('seconds' in until)) throw new Error('a rate lasts for some seconds');
  const { lanes, begin, send } = await openSharedConnections(job);
  using _lanes = lanes;
  const total = Math.floor(until.seconds * perSecond);
  const { sums, waitsMs } = begin();
  const share = loadShare();
  const startMs = performance.now();
  for (let sent = 0; sums.answers < total; ) {
    // The first is due at once.
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    for (; sent < due; sent += 1) send(startMs + (sent / perSecond) * 1000);
    await nap();
    lanes.throwOnFailure();
  }
  return { ...sums, waitsMs, seconds: (performance.now() - startMs) / 1000, loadCpuShare: share() };
}
