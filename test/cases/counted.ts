import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stored, Values } from '../exchange/exchange-room.ts';
import type { CaseObjects, Stage } from './arrange-case.ts';
import type { Case } from './case.ts';
import { kindOf } from './endpoints.ts';
import { assertHas } from './expected.ts';

const pollMs = 20;
const waitMsMax = 4000;

/** Counts of demand that hands out no statistics URLs, under the names that those have. */
async function countsByReport({ room }: Stage, { Entity, Id }: Stored): Promise<Values> {
  const today = new Date().toISOString().slice(0, 10);
  const { Rows } = await room.call('statistics/report', {
    From: today,
    To: today,
    GroupBy: ['Demand'],
    Measures: ['Bids', 'Wins', 'Bills', 'Impressions', 'Clicks', 'Revenue'],
    Filters: [{ Field: 'Demand', Operator: 'In', Values: [`${Entity}:${Id}`] }],
  });
  const [row = {}] = Rows as readonly Values[];
  return { Bids: 0, Wins: 0, Bills: 0, Clicks: 0, Revenue: 0, ...row, NetImpressions: row.Impressions ?? 0 };
}

/** Waits for the counts of an object; fails with those that differ. */
async function assertCounts(
  read: () => Promise<Values>,
  expected: Values,
  name: string,
  waitMs: number,
): Promise<void> {
  const lateMs = performance.now() + waitMs;
  for (;;) {
    const row = await read();
    try {
      return assertHas(row, expected, `counts.${name}`);
    } catch (error) {
      if (performance.now() > lateMs) throw error;
    }
    await delay(pollMs);
  }
}

const nothing = { Bids: 0, Wins: 0, Bills: 0, NetImpressions: 0, Clicks: 0 };

/** What counts for a played case unless it says otherwise: its one request, and once what is shown. */
function usualCounts(played: Case, isShown: boolean): Values {
  const { fires, earlier = [], outcome } = played;
  const requests = outcome === 'none' ? 0 : 1 + earlier.length;
  if (!isShown || fires || earlier.length > 0) return { Requests: requests, ...nothing };
  const clicks = kindOf(played) === 'PopFeed' ? 1 : 0;
  return { Requests: requests, Bids: 0, Wins: 1, Bills: 1, NetImpressions: 1, Clicks: clicks };
}

function assertSupplyCounted({ room }: Stage, played: Case, { supply }: CaseObjects, waitMs: number) {
  const expected = { ...usualCounts(played, played.won !== undefined), ...played.counts.supply };
  return assertCounts(() => room.statistics(supply), expected, 'supply', waitMs);
}

/** Whether what the case expects is counted, and nothing else: not for demand that has not won, and nothing twice. */
export async function assertCounted(stage: Stage, played: Case, objects: CaseObjects): Promise<void> {
  await assertSupplyCounted(stage, played, objects, waitMsMax);
  for (const [name, stored] of objects.demand) {
    const { Wins, Bills } = usualCounts(played, name === played.won);
    const theirs = { Wins, Bills, ...played.counts[name] };
    const hasUrls = stored.StatsByDateJson !== undefined;
    const read = () => (hasUrls ? stage.room.statistics(stored) : countsByReport(stage, stored));
    await assertCounts(read, theirs, name, waitMsMax);
  }
}

/** Whether nothing has come later: no count, which the supply object would have too, and no notice. */
export async function assertNothingLater(stage: Stage, played: Case, objects: CaseObjects): Promise<void> {
  await assertSupplyCounted(stage, played, objects, 0);
  const { answer = [], afterwards = [] } = played.notices ?? {};
  const heard = stage.dsp.calls(`${objects.partner}/notices`).map(({ url }) => url);
  assert.equal(heard.length, answer.length + afterwards.length, `notices: ${heard.join(', ')}`);
}
