import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startNotices } from '../../src/notices.ts';
import { eventBatch } from '../../src/statistics/event-counts.ts';
import type { BillableEvent, Notice } from '../../src/statistics/events.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import type { Store } from '../../src/store/interface.ts';
import type { NoticeBatch } from '../../src/store/statistics/notices-interface.ts';
import { noticeLeaseMs } from '../../src/store/statistics/pending-notices.ts';
import { impression, pairOf, startMs } from '../statistics/counting.ts';
import { eventually } from '../support/eventually.ts';
import type { Engine, TestDatabase } from './engine.ts';
import { addBatch } from './market.ts';

const pair = pairOf({ kind: 'RtbEp', id: 1 }, { kind: 'DspRtbEp', id: 1 });
const billing: Notice = { kind: 'billing', url: 'https://dsp.example/bill?p=1' };
const loss: Notice = { kind: 'loss', url: 'https://dsp.example/loss' };
const dayMs = 86_400_000;

const bill = (store: Store, ...events: readonly BillableEvent[]) =>
  addBatch(store, eventBatch(events, createTopValues()));

const eventOf = (auctionId: string, more: Partial<BillableEvent> = {}) =>
  impression(auctionId, pair, { event: 'bills', notices: [billing], ...more });
const claimed = async (of: Store) => (await of.statistics.claimNotices(10)).batches;

/** Two processes on a database, with a clock of their own. */
function roomOn({ fresh }: Engine) {
  let database: TestDatabase;
  const stores: Store[] = [];
  let nowMs = startMs;
  const told: NoticeBatch[] = [];
  before(async () => {
    database = await fresh();
    for (const _ of ['one', 'the other']) stores.push(await database.open(() => nowMs));
    for (const { statistics } of stores) {
      statistics.onWritten(({ notices }) => {
        if (notices) told.push(notices);
      });
    }
  });
  after(async () => {
    for (const store of stores) await store.close();
    await database.remove();
  });
  return {
    stores: () => stores as [Store, Store],
    wait: (ms: number) => {
      nowMs += ms;
    },
    /** What was told since it was last asked. */
    told: () => told.splice(0).flatMap(({ notices }) => notices),
  };
}

function counting(room: ReturnType<typeof roomOn>): void {
  test('are told to whoever counted the event first, and to nobody else', async () => {
    const [store, other] = room.stores();
    const both = await Promise.all([bill(store, eventOf('once')), bill(other, eventOf('once'))]);
    assert.deepEqual(both.flat().toSorted(), [false, true]);
    assert.deepEqual(room.told(), [{ ...billing, id: 'once/billing' }]);
  });

  test('are those of a bill or of a loss, whichever counted', async () => {
    const [store, other] = room.stores();
    const lost = eventOf('either', { event: 'losses', notices: [loss] });
    const both = await Promise.all([bill(store, eventOf('either')), bill(other, lost)]);
    assert.deepEqual(both.flat().toSorted(), [false, true]);
    assert.equal(room.told().length, 1);
  });

  test('count their event, also where no such notice can be sent', async () => {
    const wrong: Notice[] = [
      { kind: 'billing', url: 'file:///etc/passwd' },
      { kind: 'billing', url: 'no URL' },
      { kind: 'billing', url: `https://dsp.example/${'x'.repeat(20_000)}` },
    ];
    const [store] = room.stores();
    assert.deepEqual(await bill(store, eventOf('wrong', { notices: wrong })), [true]);
    assert.deepEqual(room.told(), []);
  });

  test('count the win of a fallback with its bill', async () => {
    const { claims, countsOf } = eventBatch([eventOf('fallback', { isWin: true })], createTopValues());
    const [counted] = countsOf(new Set(claims)).pairs;
    assert.deepEqual([counted?.counts.bills, counted?.counts.wins], [1, 1]);
  });
}

function sending(room: ReturnType<typeof roomOn>): void {
  test('outlive who was to send them: one other process takes them when the lease is over', async () => {
    const [store, other] = room.stores();
    room.wait(10 * noticeLeaseMs);
    await store.statistics.updateNotices((await claimed(store)).map(({ id }) => ({ id, notices: [] })));
    await bill(store, eventOf('left'), eventOf('left too'));
    room.told();
    assert.deepEqual(await claimed(other), []);
    room.wait(noticeLeaseMs);
    const both = (await Promise.all([claimed(store), claimed(other)])).flat();
    assert.deepEqual(
      both.map(({ notices }) => notices.map(({ id }) => id).toSorted()),
      [['left too/billing', 'left/billing']],
    );
    const [batch] = both;
    assert.ok(batch);
    const [first, ...rest] = batch.notices;
    await store.statistics.updateNotices([{ id: batch.id, notices: rest }]);
    room.wait(noticeLeaseMs);
    assert.deepEqual(await claimed(other), [{ id: batch.id, notices: rest }]);
    assert.ok(first);
    await other.statistics.updateNotices([{ id: batch.id, notices: [] }]);
    room.wait(noticeLeaseMs);
    assert.deepEqual(await claimed(store), []);
  });

  test('are sent by the next process, and then gone', async () => {
    const [store, other] = room.stores();
    await bill(store, eventOf('next'));
    room.told();
    room.wait(noticeLeaseMs);
    const calls: { readonly url: string; readonly id: string | undefined }[] = [];
    const notices = startNotices({
      statistics: other.statistics,
      outbound: {
        notify(url, { id, onEnd } = {}) {
          calls.push({ url, id });
          onEnd?.('sent');
        },
      },
      sendsForOthers: true,
      steadyMs: () => performance.now(),
      onFailure: (error) => assert.fail(String(error)),
    });
    await eventually(() => assert.equal(calls.length, 1), 'the notice is sent');
    await notices.close();
    assert.deepEqual(calls, [{ url: billing.url, id: 'next/billing' }]);
    room.wait(noticeLeaseMs);
    assert.deepEqual(await claimed(store), []);
  });

  test('that could not be sent for a day are given up', async () => {
    const [store, other] = room.stores();
    await bill(store, eventOf('late'));
    room.told();
    room.wait(dayMs);
    assert.deepEqual(await other.statistics.claimNotices(10), { batches: [], expired: 1 });
  });
}

/** Notices to bidders, as the store keeps them until they are sent. */
export function noticesContract(engine: Engine): void {
  describe(`notices to bidders on ${engine.name}`, () => {
    const room = roomOn(engine);
    counting(room);
    sending(room);
  });
}
