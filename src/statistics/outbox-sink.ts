import { Refusal } from '../fields/fault.ts';
import { lotRecord } from './event-records.ts';
import { type ClosingSink, createSink, type SinkParts } from './event-sink.ts';
import { createOutboxBilling, type EventOutbox } from './outbox-billing.ts';

const timeoutMs = 10_000;

function full(): Refusal {
  return new Refusal('unavailable', 'Counts cannot be stored now; try again', {
    retryAfterSeconds: 5,
  });
}

/** Counts, too, go to the outbox. If it is full, they add up, and billable events are refused with `unavailable`. */
export function createOutboxSink({
  outbox,
  ...options
}: Pick<SinkParts, 'now' | 'onFailure'> & { readonly outbox: EventOutbox }): ClosingSink {
  const otherwise = { bill: () => Promise.reject(full()), idle: () => Promise.resolve() };
  return createSink({
    ...options,
    timeoutMs,
    async add({ timeMs: _, traffic = [], ...lot }) {
      if (!(await outbox.append(lotRecord({ ...lot, traffic })))) throw full();
    },
    billing: () => createOutboxBilling({ outbox, otherwise, now: options.now, timeoutMs }),
  });
}
