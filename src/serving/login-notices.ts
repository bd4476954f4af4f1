import type { Logger } from 'pino';
import { createRecentCache } from '../shared/recent-cache.ts';
import type { User } from '../store/identity/interface.ts';
import type { SendingStore } from '../store/sending/interface.ts';

const dayMs = 86_400_000;
const usersMax = 10_000;

/** Once a day: the database keeps one such mail per user and day. Never rejects. */
export function createLoginNotices({
  sending,
  now,
  logger,
}: {
  readonly sending: Pick<SendingStore, 'add'>;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}): (user: User) => Promise<void> {
  /** The last day on which this thread told a user. */
  const days = createRecentCache<number, number>(usersMax);
  return async ({ id: objectId, teamId, mail: target }) => {
    const dueMs = Math.floor(now() / dayMs) * dayMs;
    if (days.get(objectId) === dueMs) return;
    days.set(objectId, dueMs);
    const to = [{ channel: 'mail', target }] as const;
    await sending.add({ teamId, entity: 'User', objectId, dueMs, to }).catch((error: unknown) => {
      days.delete(objectId);
      logger.warn({ err: error }, 'a user could not be notified of failed logins');
    });
  };
}
