import { hash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../fields/fault.ts';
import type { Report } from '../../statistics/reports.ts';
import type { Store } from '../../store/interface.ts';
import type { StatisticsAccount } from '../../store/statistics/interface.ts';

/** Whether two texts are the same, in a time that does not reveal how much of them agrees. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/**
 * The publisher or advertiser whose `Username` and `StatsAuth` the query carries (specification 5.3). Inactive ones may
 * log in too, to see what they have earned. Refuses with `unauthorized` where the two do not match.
 */
export async function logIn(
  { statistics }: Pick<Store, 'statistics'>,
  { account: kind }: Report,
  { username, auth }: Readonly<Record<string, unknown>>,
): Promise<StatisticsAccount> {
  const isSent = typeof username === 'string' && typeof auth === 'string';
  const account = isSent ? await statistics.account(kind, username) : undefined;
  const isRight = isSame(String(auth), account?.statsAuth ?? '');
  if (isSent && account && account.statsAuth !== '' && isRight) return account;
  throw new Refusal('unauthorized', 'username or auth is wrong');
}
