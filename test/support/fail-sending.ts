import { openStore } from '../../src/store/open-store.ts';

/** Has a report of the first team to send now, and gives it up for a reason, as the server would. */
export async function failSending(databaseUrl: string, reportId: number, error: string): Promise<void> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const dueMs = Date.now() - 60_000;
  const to = [{ channel: 'mail', target: 'desk@example.com' }] as const;
  await store.sending.add({ teamId: 1, entity: 'Report', objectId: reportId, dueMs, to });
  const by = 'test';
  const taken = await store.sending.claim(by, Date.now(), Date.now() + 60_000);
  const ended = { attempts: 1, nextMs: dueMs, lastMs: Date.now(), error } as const;
  await store.sending.finish(taken?.id ?? 0, by, { ...ended, state: 'failed' });
  await store.close();
}
