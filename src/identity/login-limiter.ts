import { isIPv6 } from 'node:net';
import { Refusal } from '../fields/fault.ts';

/** What is tried: to log in by a password, to show the password of one's own session, or to send a code. */
export type AttemptKind = 'login' | 'session' | 'code';

/** Who tries something, and from where. */
export interface Attempt {
  readonly kind: AttemptKind;
  readonly mail: string;
  readonly address: string;
  /** What this user has logged in from before: the network, or the browser with that ID. Undefined: neither. */
  readonly knownBy?: { readonly browser: string | undefined } | undefined;
}

/** At most so many failures within a time. */
export interface FailureLimit {
  readonly failuresMax: number;
  readonly windowMs: number;
}

/** A name that failures are counted by, and its limits, the shortest first. */
export interface FailureCount {
  readonly name: string;
  readonly limits: readonly FailureLimit[];
}

/** Counts failed logins; see `createLoginLimiter`. */
export interface LoginLimiter {
  /** Learns what others know of the attempt's counts, before a check; never rejects, and waits for a moment at most. */
  learn(attempt: Attempt): Promise<void>;
  /** Refuses with `too_many` while one of the attempt's counts has failed too often. */
  check(attempt: Attempt): void;
  fail(attempt: Attempt): void;
  /** Forgets the user's failures of this kind, where the attempt was judged by them. */
  succeed(attempt: Attempt): void;
  /** Whether the user's own counts, those that are not of the network alone, have failed too often. */
  isUserLimited(attempt: Attempt): boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const networkLimits: readonly FailureLimit[] = [{ failuresMax: 10, windowMs: minuteMs }];
const passwordLimits: readonly FailureLimit[] = [...networkLimits, { failuresMax: 20, windowMs: hourMs }];
/** The wait grows with the failures: for a minute, an hour, a day. */
const userLimits: Readonly<Record<AttemptKind, readonly FailureLimit[]>> = {
  login: passwordLimits,
  session: passwordLimits,
  code: [
    { failuresMax: 5, windowMs: minuteMs },
    { failuresMax: 10, windowMs: hourMs },
    { failuresMax: 20, windowMs: 24 * hourMs },
  ],
};
const namesMax = 100_000;

/**
 * The network of a client: the smallest that one customer has, so that no neighbour can shut anybody out. That is an
 * IPv4 address, and the first 64 bits of an IPv6 address, as the customer chooses the others.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const [head = '', tail] = plain.split('::');
  if (!isIPv6(plain) || plain.includes('.')) return plain;
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** The counts of the user alone do not hold where the user has logged in before; a browser has one of its own. */
function userCounts({ kind, mail, address, knownBy }: Attempt): readonly FailureCount[] {
  const user = mail.toLowerCase();
  const of = knownBy ? knownBy.browser && `browser ${knownBy.browser}` : 'anywhere';
  const places = [`network ${networkOf(address)}`, ...(of === undefined ? [] : [of])];
  return places.map((place) => ({ name: `${kind} ${user} ${place}`, limits: userLimits[kind] }));
}

/** What failures of an attempt are counted by: the user and the network, the network, and the user (reference, A23). */
export function attemptCounts(attempt: Attempt): readonly FailureCount[] {
  const network = { name: `network ${networkOf(attempt.address)}`, limits: networkLimits };
  return [network, ...userCounts(attempt)];
}

/** The names whose failures a success ends. */
export function userNames(attempt: Attempt): readonly string[] {
  return userCounts(attempt).map(({ name }) => name);
}

/** Refuses where one must wait for so long. */
export function refuseToWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  throw new Refusal('too_many', `Too many failed logins; try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  });
}

/**
 * Counts failed logins in this process (reference, A1, A23). `now` gives milliseconds that never go back. Remembers at
 * most 100,000 names; beyond that, it forgets the name whose last failure is the oldest.
 */
export function createLoginLimiter({ now }: { now: () => number }): LoginLimiter {
  /** Times of the last failures, oldest first; names in the order of their last failure. */
  const failures = new Map<string, readonly number[]>();

  const waitMs = ({ name, limits }: FailureCount) => {
    const times = failures.get(name) ?? [];
    const waits = limits.map(({ failuresMax, windowMs }) => {
      const first = times.at(-failuresMax);
      return first === undefined ? 0 : first + windowMs - now();
    });
    return Math.max(...waits);
  };
  const note = ({ name, limits }: FailureCount) => {
    const timesMax = Math.max(...limits.map(({ failuresMax }) => failuresMax));
    const times = [...(failures.get(name) ?? []), now()].slice(-timesMax);
    failures.delete(name);
    failures.set(name, times);
    const [longestSilent] = failures.keys();
    if (failures.size > namesMax && longestSilent !== undefined) failures.delete(longestSilent);
  };
  return {
    learn: () => Promise.resolve(),
    check: (attempt) => refuseToWait(Math.max(...attemptCounts(attempt).map(waitMs))),
    fail(attempt) {
      for (const count of attemptCounts(attempt)) note(count);
    },
    succeed(attempt) {
      for (const name of userNames(attempt)) failures.delete(name);
    },
    isUserLimited: (attempt) => userCounts(attempt).some((count) => waitMs(count) > 0),
  };
}
