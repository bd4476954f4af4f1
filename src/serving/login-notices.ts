import type { Logger } from 'pino';
import type { User } from '../store/identity/interface.ts';
import type { SendingStore } from '../store/sending/interface.ts';

const dayMs = 86_400_000;
const usersMax = 10_000;

/**
 * Has users told by mail that their logins are limited: once a day, however many servers and threads see it, since the
 * database keeps one mail of a user and day. What it answers never rejects.
 */
export function createLoginNotices({
  sending,
  now,
  logger,
}: {
  readonly sending: Pick<SendingStore, 'add'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}): (user: User) => Promise<void> {
  /** The last day of which this thread has told a user. */
  const days = new Map<number, number>();
  return async ({ id: objectId, teamId, mail: target }) => {
    const dueMs = Math.floor(now() / dayMs) * dayMs;
    if (days.get(objectId) === dueMs) return;
    if (days.size >= usersMax) days.clear();
    days.set(objectId, dueMs);
    const to = [{ channel: 'mail', target }] as const;
    await sending.add({ teamId, entity: 'User', objectId, dueMs, to }).catch((error: unknown) => {
      days.delete(objectId);
      logger.warn({ err: error }, 'a user could not be told of failed logins');
    });
  };
}
