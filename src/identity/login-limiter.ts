import { isIPv6 } from 'node:net';
import { Refusal } from '../fields/fault.ts';

/** Who tries to log in, and from where. */
export interface Attempt {
  readonly mail: string;
  /** IP address of the client. */
  readonly address: string;
}

/** Counts failed logins; see `createLoginLimiter`. */
export interface LoginLimiter {
  /** Learns what others know of the mail and the address, before a check; never rejects, and waits for a moment at most. */
  learn(attempt: Attempt): Promise<void>;
  /** Refuses with `too_many` while the mail or the address has failed too often within the last minute. */
  check(attempt: Attempt): void;
  /** Counts a failure for both. */
  fail(attempt: Attempt): void;
}

/** So many failures are too many within this time. */
export const loginFailures = { failuresMax: 10, windowMs: 60_000 } as const;
const { failuresMax, windowMs } = loginFailures;
const namesMax = 100_000;

/** The first 64 bits of an IPv6 address: they name one customer's network, and the customer chooses the other bits. */
function network(address: string): string {
  const [head = '', tail] = address.split('::');
  if (!isIPv6(address) || address.includes('.')) return address;
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}

/** What failures of an attempt are counted by. */
export function attemptNames({ mail, address }: Attempt): readonly string[] {
  return [`mail ${mail.toLowerCase()}`, `address ${network(address)}`];
}

/** The refusal of an attempt after which one must wait for so long. */
export function tooManyFailures(waitMs: number): Refusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new Refusal('too_many', `Too many failed logins; try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  });
}

/**
 * Lets a mail address (in any case) and a client address fail ten times in any minute (decisions A1). `now` gives
 * milliseconds that never go back. Remembers at most 100,000 names; beyond that, it forgets the name whose last failure
 * is the oldest.
 */
export function createLoginLimiter({ now }: { now: () => number }): LoginLimiter {
  /** Times of the last failures, oldest first; names in the order of their last failure. */
  const failures = new Map<string, readonly number[]>();

  const recent = (name: string) => (failures.get(name) ?? []).filter((atMs) => atMs > now() - windowMs);
  const freeAtMs = (name: string) => {
    const times = recent(name);
    return times.length < failuresMax ? 0 : (times[0] ?? 0) + windowMs;
  };
  const note = (name: string) => {
    const times = [...recent(name), now()].slice(-failuresMax);
    failures.delete(name);
    failures.set(name, times);
    const [longestSilent] = failures.keys();
    if (failures.size > namesMax && longestSilent !== undefined) failures.delete(longestSilent);
  };
  return {
    learn: () => Promise.resolve(),
    check(attempt) {
      const waitMs = Math.max(...attemptNames(attempt).map(freeAtMs)) - now();
      if (waitMs > 0) throw tooManyFailures(waitMs);
    },
    fail(attempt) {
      for (const name of attemptNames(attempt)) note(name);
    },
  };
}
