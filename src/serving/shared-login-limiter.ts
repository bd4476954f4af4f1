import type { Attempt, LoginLimiter } from '../identity/login-limiter.ts';
import type { ThreadChannel } from '../threads/thread-channel.ts';

const topics = { fail: 'failed login', succeed: 'login after failures' } as const;

/** Threads tell each other of their failed logins. */
export function shareLoginLimiter(
  limiter: LoginLimiter,
  channel: Pick<ThreadChannel, 'publish' | 'subscribe'>,
): LoginLimiter {
  const shared = (event: keyof typeof topics) => {
    channel.subscribe(topics[event], (attempt) => limiter[event](attempt as Attempt));
    return (attempt: Attempt) => {
      limiter[event](attempt);
      channel.publish(topics[event], attempt);
    };
  };
  return { ...limiter, fail: shared('fail'), succeed: shared('succeed') };
}
