import type { Attempt, LoginLimiter } from '../identity/login-limiter.ts';
import type { Peers } from './peers.ts';

const topic = 'failed login';

/** A limiter that counts the failed logins of all threads: each thread tells the others of its own. */
export function shareLoginLimiter(
  limiter: LoginLimiter,
  peers: Pick<Peers, 'publish' | 'subscribe'>,
): LoginLimiter {
  peers.subscribe(topic, (attempt) => limiter.fail(attempt as Attempt));
  return {
    ...{ learn: limiter.learn, check: limiter.check },
    fail(attempt) {
      limiter.fail(attempt);
      peers.publish(topic, attempt);
    },
  };
}
