import { attemptNames, type LoginLimiter, tooManyFailures } from '../../identity/login-limiter.ts';
import type { RecentFailures } from '../../valkey/recent-failures.ts';

const namesMax = 10_000;

/**
 * A limiter that also knows of failed logins at other servers of the region. While they are not known, it is that of its
 * own process. `now` gives milliseconds that never go back.
 */
export function shareLoginFailures(
  limiter: LoginLimiter,
  failures: RecentFailures,
  now: () => number,
): LoginLimiter {
  /** Until when attempts of a name are refused, as the region says. */
  const freeAtMs = new Map<string, number>();
  return {
    async learn(attempt) {
      await limiter.learn(attempt);
      const names = attemptNames(attempt);
      const waits = await Promise.all(names.map((name) => failures.waitMs([name])));
      if (freeAtMs.size > namesMax) freeAtMs.clear();
      for (const [index, name] of names.entries()) {
        const waitMs = waits[index] ?? 0;
        if (waitMs > 0) freeAtMs.set(name, now() + waitMs);
        else freeAtMs.delete(name);
      }
    },
    check(attempt) {
      limiter.check(attempt);
      const waitMs = Math.max(...attemptNames(attempt).map((name) => freeAtMs.get(name) ?? 0)) - now();
      if (waitMs > 0) throw tooManyFailures(waitMs);
    },
    fail(attempt) {
      limiter.fail(attempt);
      failures.note(attemptNames(attempt));
    },
  };
}
