import {
  type Attempt,
  attemptCounts,
  type LoginLimiter,
  refuseToWait,
  userNames,
} from '../identity/login-limiter.ts';
import { createRecentCache } from '../shared/recent-cache.ts';
import type { RecentFailures } from '../valkey/recent-failures.ts';

const namesMax = 10_000;

/** Knows failures at other servers of the region, as far as heard. `now` never goes back. */
export function shareLoginFailures(
  limiter: LoginLimiter,
  failures: RecentFailures,
  now: () => number,
): LoginLimiter {
  /** By name, as the region says. */
  const freeAtMs = createRecentCache<string, number>(namesMax);
  const waitMs = (names: readonly string[]) =>
    Math.max(...names.map((name) => freeAtMs.get(name) ?? 0)) - now();
  return {
    async learn(attempt: Attempt) {
      await limiter.learn(attempt);
      const counts = attemptCounts(attempt);
      const waits = await Promise.all(counts.map(failures.waitMs));
      for (const [index, { name }] of counts.entries()) {
        const wait = waits[index] ?? 0;
        if (wait > 0) freeAtMs.set(name, now() + wait);
        else freeAtMs.delete(name);
      }
    },
    check(attempt) {
      limiter.check(attempt);
      refuseToWait(waitMs(attemptCounts(attempt).map(({ name }) => name)));
    },
    fail(attempt) {
      limiter.fail(attempt);
      failures.note(attemptCounts(attempt));
    },
    succeed(attempt) {
      limiter.succeed(attempt);
      const names = userNames(attempt);
      for (const name of names) freeAtMs.delete(name);
      failures.forget(names);
    },
    isUserLimited: (attempt) => limiter.isUserLimited(attempt) || waitMs(userNames(attempt)) > 0,
  };
}
