import { isIPv6 } from 'node:net';
import { Refusal } from '../fields/fault.ts';

/** Logging in, showing one's own password in a session, or sending a code. */
export type AttemptKind = 'login' | 'session' | 'code';

export interface Attempt {
  readonly kind: AttemptKind;
  readonly mail: string;
  readonly address: string;
  /** Known network, or known browser with its ID; undefined = neither. */
  readonly knownBy?: { readonly browser: string | undefined } | undefined;
}

export interface FailureLimit {
  readonly failuresMax: number;
  readonly windowMs: number;
}

/** The shortest limit first. */
export interface FailureCount {
  readonly name: string;
  readonly limits: readonly FailureLimit[];
}

export interface LoginLimiter {
  /** Fetches others' counts before a check; never rejects, and waits for a moment at most. */
  learn(attempt: Attempt): Promise<void>;
  /** Refuses with `too_many`. */
  check(attempt: Attempt): void;
  fail(attempt: Attempt): void;
  /** Forgets the user's failures of this kind, if the attempt was judged by them. */
  succeed(attempt: Attempt): void;
  /** By the user's own counts, not those of the network. */
  isUserLimited(attempt: Attempt): boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const networkLimits: readonly FailureLimit[] = [{ failuresMax: 10, windowMs: minuteMs }];
const passwordLimits: readonly FailureLimit[] = [...networkLimits, { failuresMax: 20, windowMs: hourMs }];
/** The wait grows with the failures: a minute, an hour, a day. */
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

/** The smallest network of one customer, so that no neighbour shuts anybody out: IPv4, or the first 64 bits of IPv6. */
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

/** Do not apply where the user has logged in before; a browser has its own count. */
function userCounts({ kind, mail, address, knownBy }: Attempt): readonly FailureCount[] {
  const user = mail.toLowerCase();
  const of = knownBy ? knownBy.browser && `browser ${knownBy.browser}` : 'anywhere';
  const places = [`network ${networkOf(address)}`, ...(of === undefined ? [] : [of])];
  return places.map((place) => ({ name: `${kind} ${user} ${place}`, limits: userLimits[kind] }));
}

/** User and network, network, and user (reference, A23). */
export function attemptCounts(attempt: Attempt): readonly FailureCount[] {
  const network = { name: `network ${networkOf(attempt.address)}`, limits: networkLimits };
  return [network, ...userCounts(attempt)];
}

/** A success ends their failures. */
export function userNames(attempt: Attempt): readonly string[] {
  return userCounts(attempt).map(({ name }) => name);
}

export function refuseToWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  throw new Refusal('too_many', `Too many failed logins; try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  });
}

/** Of this process (reference, A1, A23). `now` never goes back. Beyond 100,000 names the oldest is forgotten. */
export function createLoginLimiter({ now }: { now: () => number }): LoginLimiter {
  /** Oldest first; names in the order of their last failure. */
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
