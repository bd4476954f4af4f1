import type { Attempt, LoginLimiter } from '../identity/login-limiter.ts';
import type { Peers } from './peers.ts';

const topics = { fail: 'failed login', succeed: 'login after failures' } as const;

/** A limiter that counts the failed logins of all threads: each thread tells the others of its own. */
export function shareLoginLimiter(
  limiter: LoginLimiter,
  peers: Pick<Peers, 'publish' | 'subscribe'>,
): LoginLimiter {
  const shared = (event: keyof typeof topics) => {
    peers.subscribe(topics[event], (attempt) => limiter[event](attempt as Attempt));
    return (attempt: Attempt) => {
      limiter[event](attempt);
      peers.publish(topics[event], attempt);
    };
  };
  return { ...limiter, fail: shared('fail'), succeed: shared('succeed') };
}
