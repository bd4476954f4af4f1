import { openStore } from '../../src/store/open-store.ts';

/** Makes an alert of the first team fire at once, as the server would in a minute; answers the ID of what it has found. */
export async function fireAlert(databaseUrl: string, alertId: number): Promise<number> {
  const store = await openStore({ url: databaseUrl, now: Date.now });
  const atMs = Math.floor(Date.now() / 60_000) * 60_000;
  const found = {
    kind: '',
    id: 0,
    name: '',
    rule: '',
    heldSinceMs: atMs,
    beganMs: atMs,
    clearedSinceMs: undefined,
    ...({ endedMs: undefined, ending: '', firstValue: 0, compared: null, lastValue: 0, detail: '' } as const),
  };
  const judged = { alertId, teamId: 1, atMs, rule: '', problem: '', noData: '', remindMs: 0 };
  // The server may have been first.
  await store.alerts.write({ ...judged, added: [found], changed: [], dropped: [], to: [] });
  const [entry] = await store.alerts.findings(1, { alertId }, 1);
  await store.close();
  return entry?.findingId ?? 0;
}
