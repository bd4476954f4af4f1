import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Quotas } from '../../src/exchange/limits/quotas.ts';
import { type HolderReport, type LimitReport, UnknownHolder } from '../../src/leases/authority.ts';
import { placeOf, placesEnd } from '../../src/leases/parts.ts';
import { createLeaseRounds } from '../../src/quotas/lease-rounds.ts';
import { standard } from './authority-cases.ts';

type Answered = 'e1' | 'e2' | 'fails' | 'unknown' | 'slow';

const ids = [1, 2, 3, 4, 5, 6];
const limits: readonly LimitReport[] = ids.map((id) => ({ ...standard, id }));
const failure = new Error('no answer');

/** Rounds of a process with six limits, two a part: each part is answered as said, and takes the clock on by 3 s if slow. */
async function openRounds() {
  const reports: HolderReport[] = [];
  const [taken, lost, left]: [number[], number[], number[]] = [[], [], []];
  let reportMs = 0;
  let [answers, minute, steadyMs, wantsWhole, joined]: [
    readonly Answered[],
    number,
    number,
    boolean,
    number,
  ] = [[], 10, 0, false, 0];
  const heldUntil: number[] = [];
  const rounds = createLeaseRounds({
    authority: {
      join: async () => {
        joined += 1;
        return joined;
      },
      report: async (report) => {
        reports.push(report);
        const became = answers[reports.length - 1] ?? 'e1';
        if (became === 'slow') steadyMs += 3000;
        if (became === 'unknown') throw new UnknownHolder('not known');
        if (became === 'fails' || became === 'slow') throw failure;
        const grants = report.limits.map(() => ({
          granted: 1,
          excess: 0,
          isContested: false,
          before: 0,
          others: 0,
          isKnown: true,
        }));
        return { grants, wantsWhole, holders: 1, epoch: became, recalled: [] };
      },
      leave: async (holder) => void left.push(holder),
      gone: async () => [],
      settle: async () => undefined,
      forget: async () => undefined,
      close: async () => undefined,
    },
    quotas: {
      hold: (_, { untilMs }) => heldUntil.push(untilMs),
      noteRound: () => undefined,
    } as Pick<Quotas, 'hold' | 'noteRound'> as Quotas,
    countedOf: async () => [],
    objects: {
      uncounted: () => [],
      count: () => undefined,
      recall: () => undefined,
      endRates: () => undefined,
      report: () => {
        steadyMs += reportMs;
        return [...limits];
      },
      take: (answered) => taken.push(...answered.map(({ id }) => id)),
      lose: (unanswered) => lost.push(...unanswered.map(({ id }) => id)),
      resolve: () => undefined,
      freeIdle: () => undefined,
      reset: () => undefined,
      size: () => 0,
    },
    resolving: {
      begin: () => undefined,
      resolved: () => ({ ad: minute, offer: minute }),
      resolve: async () => undefined,
      settle: async () => undefined,
    },
    revision: () => 1,
    now: () => 0,
    steadyMs: () => steadyMs,
    partLimitsMax: 2,
  });
  await rounds.run();
  return {
    /** Runs a round in a later minute; answers what it sent, took and lost. */
    async round(
      became: readonly Answered[],
      after: { readonly ms?: number; readonly reportMs?: number; readonly wantsWhole?: boolean } = {},
    ) {
      for (const list of [reports, taken, lost]) list.length = 0;
      minute += 1;
      steadyMs += after.ms ?? 1000;
      reportMs = after.reportMs ?? 0;
      wantsWhole = after.wantsWhole ?? false;
      answers = became;
      const { rejected, failed } = await rounds.run().then(
        (failed) => ({ failed, rejected: undefined }),
        (rejected) => ({ rejected, failed: undefined }),
      );
      return {
        rejected,
        failed,
        taken: [...taken],
        lost: [...lost],
        resolved: reports.map(({ resolved }) => resolved.ad),
        epochs: reports.map(({ whole }) => whole?.epoch),
        places: reports.map(({ whole }) => [whole?.from, whole?.to]),
        turns: reports.map(({ turn }) => turn),
        holders: reports.map(({ holder }) => holder),
      };
    },
    /** Leaves at the end; answers what it sent, until when it held before and after, and who has left. */
    async leave(became: readonly Answered[]) {
      for (const list of [reports, heldUntil]) list.length = 0;
      answers = became;
      await rounds.leave();
      return { sent: reports.length, heldUntil: [...heldUntil], left: [...left], atMs: steadyMs };
    },
  };
}

describe('a round of reports in parts', () => {
  test('takes each answered part, and loses a failed one alone', async () => {
    const { round } = await openRounds();
    assert.partialDeepStrictEqual(await round(['e1', 'fails', 'e1']), {
      rejected: undefined,
      failed: failure,
      taken: [1, 2, 5, 6],
      lost: [3, 4],
      turns: [4, 5, 6],
    });
  });

  test('says that promises are resolved with the last of all answered parts only', async () => {
    const { round } = await openRounds();
    assert.deepEqual((await round([])).resolved, [10, 10, 11]);
    assert.deepEqual((await round(['e1', 'fails', 'e1'])).resolved, [11, 11, 11]);
    assert.deepEqual((await round(['e1', 'e1', 'fails'])).resolved, [11, 11, 13]);
    assert.deepEqual((await round([])).resolved, [11, 11, 14]);
  });

  test('covers all objects when the authority wants it, and names the epoch of the parts before', async () => {
    const { round } = await openRounds();
    await round([], { wantsWhole: true });
    const places = [0, placeOf(3), placeOf(5), placesEnd];
    const covered = places.slice(1).map((to, index) => [places[index], to]);
    const whole = await round([], { wantsWhole: true });
    assert.partialDeepStrictEqual(whole, { places: covered, epochs: ['', 'e1', 'e1'] });
    const cases: readonly (readonly [readonly Answered[], readonly string[]])[] = [
      [
        ['e1', 'e2', 'e2'],
        ['', 'e1', ''],
      ],
      // One that fails is sent once more, so that the next ones can follow it.
      [
        ['fails', 'e1', 'e1'],
        ['', '', 'e1', 'e1'],
      ],
      [
        ['e1', 'fails', 'e1'],
        ['', 'e1', 'e1', 'e1'],
      ],
      [
        ['e1', 'fails', 'fails', 'e1'],
        ['', 'e1', 'e1', ''],
      ],
    ];
    for (const [became, epochs] of cases)
      assert.deepEqual((await round(became, { wantsWhole: true })).epochs, epochs);
    await round([]);
    assert.deepEqual((await round([])).epochs, [undefined, undefined, undefined]);
  });

  test('fails only if all parts have, and stops where its holder is not known', async () => {
    const { round } = await openRounds();
    assert.equal((await round(['fails', 'fails', 'fails'])).rejected, failure);
    const { rejected, turns, taken } = await round(['e1', 'unknown']);
    assert.ok(rejected instanceof UnknownHolder);
    assert.deepEqual([turns.length, taken], [2, [1, 2]]);
    assert.deepEqual((await round([])).holders, [2, 2, 2]);
  });

  test('sends the other parts, however long one took', async () => {
    const { round } = await openRounds();
    assert.partialDeepStrictEqual(await round(['slow', 'slow', 'e1']), { taken: [5, 6], lost: [1, 2, 3, 4] });
  });

  for (const ms of [3500, 4500, 4999])
    test(`has time for its parts when it begins ${ms} ms after the last answer`, async () => {
      const { round } = await openRounds();
      assert.partialDeepStrictEqual(await round([], { ms, reportMs: 1000 }), {
        taken: ids,
        lost: [],
      });
    });

  test('leaves once all is told that was used, and holds nothing meanwhile', async () => {
    const leaves: readonly (readonly [readonly Answered[], readonly number[]])[] = [
      [[], [1]],
      [['e1', 'fails', 'e1'], []],
    ];
    for (const [became, left] of leaves) {
      const { leave } = await openRounds();
      assert.deepEqual(await leave(became), { sent: 3, heldUntil: [0], left, atMs: 0 });
    }
  });
});
