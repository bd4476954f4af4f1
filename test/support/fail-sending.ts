import { openStore } from '../../src/store/open-store.ts';
import { sendingJobKind } from '../../src/store/sending/interface.ts';

/** Has a report of the first team to send now, and gives it up for a reason, as the server would. */
export async function failSending(databaseUrl: string, reportId: number, error: string): Promise<void> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const dueMs = Date.now() - 60_000;
  const to = [{ channel: 'mail', target: 'desk@example.com' }] as const;
  await store.sending.add({ teamId: 1, entity: 'Report', objectId: reportId, dueMs, to });
  const job = await store.jobs.claim({ name: sendingJobKind, claimMs: 60_000 }, 'test', Date.now());
  const ended = { attempts: 1, nextMs: dueMs, lastMs: Date.now(), error } as const;
  if (job) await store.sending.finish(job, { ...ended, state: 'failed' });
  await store.close();
}
