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
  // As if it were judged by the next minute: the server may have judged it in this one.
  const judged = { alertId, teamId: 1, atMs: atMs + 60_000, rule: '', problem: '', noData: '', remindMs: 0 };
  await store.alerts.write({ ...judged, added: [found], changed: [], dropped: [], to: [] });
  const [entry] = await store.alerts.findings(1, { alertId }, 1);
  await store.close();
  return entry?.findingId ?? 0;
}
