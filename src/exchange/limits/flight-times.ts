import { type Refusal, refuse } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';

/**
 * How long a flight waits at its start, where several processes share its limits: until each has given back what it was
 * granted by the line of the flight before, or can no longer use it (15 seconds), and clocks differ.
 */
const settlesMs = 20_000;

const shown = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;

/** Why an object is not served between its flights, and when the next one opens. */
export function flightRefusal(object: Limited, timeMs: number, isAlone: boolean): Refusal | undefined {
  if (object.limits.flights === 0) return undefined;
  const waitMs = isAlone ? 0 : settlesMs;
  const flights = object.plan?.flights ?? [];
  const next = flights.find(({ endMs }) => timeMs <= endMs);
  if (next && timeMs >= next.startMs + waitMs) return undefined;
  const wanted = next ? `opens ${shown(next.startMs + waitMs)}` : 'no further flight';
  return refuse('out_of_flight', { field: 'Flights', wanted, met: shown(timeMs) });
}
