import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { OnceEvent } from '../../src/reference/counters.ts';
import {
  createEventConsumer,
  type EventConsumerOptions,
  type SentRecords,
} from '../../src/statistics/consume-events.ts';
import { batchRecord, eventRecord, NewerRecord } from '../../src/statistics/event-records.ts';
import type { BillableEvent } from '../../src/statistics/events.ts';
import type { Store } from '../../src/store/interface.ts';
import { day, impression, pairCounts, pairOf, startMs } from '../statistics/counting.ts';
import { randomStream, seed } from '../support/seed.ts';
import type { Engine } from './engine.ts';
import { countsOf, type Market, market } from './market.ts';
import { type Opened, openedFor } from './team-room.ts';

const auctions = 150;
const lostShare = 0.3;
const awayShare = 0.2;

function takingOf(statistics: EventConsumerOptions['statistics'], aside: string[] = []) {
  return createEventConsumer({
    statistics,
    now: () => startMs,
    onSetAside: (_error, record) => aside.push(record),
  });
}

/** A store whose answers are lost, or that is away, at random. */
function unreliable({ statistics }: Store, random: () => number): EventConsumerOptions['statistics'] {
  const perhaps = async <T>(step: () => Promise<T>): Promise<T> => {
    if (random() < awayShare) throw new Error('away');
    const answer = await step();
    if (random() < lostShare) throw new Error('the answer was lost');
    return answer;
  };
  return {
    takenUntil: statistics.takenUntil,
    add: (batch, taken) => perhaps(() => statistics.add(batch, taken)),
  };
}

/** What a source sends, in parts, each again and again until it is taken; some come again later. */
async function sendAll(
  take: () => ReturnType<typeof takingOf>,
  parts: readonly SentRecords[],
  random: () => number,
): Promise<void> {
  for (const [index, part] of parts.entries()) {
    for (let isTaken = false; !isTaken; ) {
      const before = parts[Math.floor(random() * index)];
      if (before && random() < 0.2) await take()(before).catch(() => undefined);
      isTaken = await take()(part).then(
        () => true,
        () => false,
      );
    }
  }
}

function partsOf(source: string, records: readonly Buffer[], random: () => number): SentRecords[] {
  const parts: SentRecords[] = [];
  for (let from = 0; from < records.length; ) {
    const some = records.slice(from, from + 1 + Math.floor(random() * 60));
    parts.push({ source, records: some, places: some.map((_, index) => 10 * (from + index + 1)) });
    from += some.length;
  }
  return parts;
}

function eventsOf({ supply, demand }: Market, random: () => number): readonly BillableEvent[] {
  const pair = pairOf(supply, demand);
  // They have expired: what is known of them may be forgotten.
  const event = (auction: number, name: OnceEvent) =>
    impression(`a${auction}`, pair, { event: name, expiresMs: startMs + 1 });
  return Array.from({ length: auctions }, (_, auction) => {
    const isLost = random() < 0.3;
    const names: readonly OnceEvent[] = isLost ? ['losses', 'wins', 'bills'] : ['impressions', 'bills'];
    return names.filter(() => random() < 0.8).map((name) => event(auction, name));
  }).flat();
}

function takingOnce(suite: Opened): void {
  test(`counts what two sources send once, whatever is lost, and however often it comes (seed ${seed})`, async () => {
    const room = await suite.room();
    const { store } = room;
    const found = await market(room);
    const random = randomStream();
    const events = eventsOf(found, random);
    let requests = 0;
    const lotOf = () => {
      requests += 3;
      const pairs = [pairCounts(found.supply, undefined, { requests: 3 })];
      return batchRecord({ id: randomUUID(), pairs, addresses: [], traffic: [] });
    };
    const all = ['a', 'b'].map((source) => {
      const mine = events.filter(() => random() < 0.8).map(eventRecord);
      const records = mine.flatMap((record) => (random() < 0.1 ? [record, lotOf()] : [record]));
      return partsOf(`${source}-${randomUUID()}`, records, random);
    });
    const sent = new Set(all.flat().flatMap(({ records }) => records.map(String)));
    const statistics = unreliable(store, random);
    // Each time one that knows nothing, as after a restart.
    await Promise.all(all.map((parts) => sendAll(() => takingOf(statistics), parts, random)));
    const counted = await countsOf(store, found.supply);
    const shown = events.filter(
      (event) => event.event === 'impressions' && sent.has(String(eventRecord(event))),
    );
    assert.equal(counted.impressions, shown.length);
    assert.equal(counted.requests, requests);
    await store.statistics.forget({ expiresMs: startMs + 2, flushedMs: startMs + 2 });
    for (const part of all.flat()) await takingOf(store.statistics)(part);
    assert.deepEqual(await countsOf(store, found.supply), counted, 'what was forgotten was counted again');
  });

  test('leaves a row of each event that has counted, and of no other', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const [leaveTo, auctionId] = [randomUUID(), randomUUID()];
    const names: readonly OnceEvent[] = ['impressions', 'losses', 'bills', 'impressions'];
    const records = names.map((event) =>
      eventRecord(impression(auctionId, pairOf(supply, demand), { event })),
    );
    const take = createEventConsumer({
      statistics: room.store.statistics,
      now: () => startMs,
      leaveTo,
      onSetAside: assert.ifError,
    });
    const places = names.map((_, index) => index + 1);
    for (const source of [randomUUID(), randomUUID()]) await take({ source, records, places });
    const left = await room.store.statistics.leftFacts(leaveTo, 100);
    assert.deepEqual(
      left.flatMap(({ facts }) => facts.map(({ event }) => event)),
      ['impressions'],
    );
    assert.equal((await countsOf(room.store, supply)).impressions, 1);
  });
}

function leavingRefusals(suite: Opened): void {
  test('leaves the refusals of a lot with the owners of their objects, once, however often it comes', async () => {
    const room = await suite.room();
    const { store, actor } = room;
    const { supply, demand } = await market(room);
    const leaveTo = randomUUID();
    const counts = { refusals: 3, lostNanos: 7 };
    const refused = {
      cube: 'refusal',
      day,
      hour: 24 * day,
      supply,
      demand,
      values: ['lost'],
      counts,
    } as const;
    const records = [batchRecord({ id: randomUUID(), pairs: [], addresses: [], traffic: [refused] })];
    const take = createEventConsumer({
      statistics: store.statistics,
      now: () => startMs,
      leaveTo,
      onSetAside: assert.ifError,
    });
    const source = randomUUID();
    for (const _ of [1, 2]) await take({ source, records, places: [1] });
    await take({ source: randomUUID(), records, places: [1] });
    const left = await store.statistics.leftFacts(leaveTo, 100);
    assert.deepEqual(
      left.flatMap(({ facts }) => facts.map((fact) => [fact.reason, fact.refusals, fact.lost_nanos])),
      [['lost', 3, 7]],
    );
    assert.equal(left[0]?.facts[0]?.team_id, actor.teamId);
  });
}

function remembering(suite: Opened): void {
  test('remembers what expired as long as a process may still send it', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply, demand } = await market(room);
    const event = impression(randomUUID(), pairOf(supply, demand), { expiresMs: startMs + 1 });
    const records = [eventRecord(event)];
    const from = (source: string): SentRecords => ({ source: source + randomUUID(), records, places: [1] });
    const process = randomUUID();
    const noted = { process, name: 'host:/outbox/0', notedMs: startMs + 10 * 3_600_000, isDone: false };
    await statistics.noteShipped({ ...noted, untilMs: startMs });
    const take = takingOf(statistics);
    await take(from('a'));
    const later = { expiresMs: startMs + 5 * 3_600_000, flushedMs: startMs };
    await statistics.forget(later);
    await take(from('b'));
    assert.equal((await countsOf(room.store, supply)).impressions, 1);
    assert.deepEqual(
      (await statistics.shippedProcesses()).filter((one) => one.process === process),
      [{ ...noted, untilMs: startMs }],
    );
    await statistics.noteShipped({ ...noted, untilMs: startMs, isDone: true });
    await statistics.forget(later);
    assert.ok(!(await statistics.shippedProcesses()).some((one) => one.process === process));
  });
}

function refusing(suite: Opened): void {
  test('sets aside what will never be taken, and leaves what only a newer program knows', async () => {
    const room = await suite.room();
    const { supply, demand } = await market(room);
    const event = impression(randomUUID(), pairOf(supply, demand));
    const good = eventRecord(event);
    const changed = (change: object, kind = 1, version = 1) =>
      Buffer.concat([Buffer.of(version, kind), Buffer.from(JSON.stringify({ ...event, ...change }))]);
    const bad = [
      changed({ spentNanos: 'x' }),
      changed({ pair: [] }),
      Buffer.from([1, 1, 0x7b]),
      changed({ timeMs: -1 }),
    ];
    const newer = [changed({ event: 'views' }), changed({}, 9), changed({}, 1, 4)];
    const source = randomUUID();
    const sent = (records: readonly Buffer[], from = 0): SentRecords => ({
      source,
      records,
      places: records.map((_, index) => from + index + 1),
    });
    const aside: string[] = [];
    const take = takingOf(room.store.statistics, aside);
    await take(sent([...bad, good]));
    assert.equal(aside.length, bad.length);
    for (const record of newer) await assert.rejects(take(sent([record, good], 100)), NewerRecord);
    assert.equal(await room.store.statistics.takenUntil(source), bad.length + 1);
    assert.equal((await countsOf(room.store, supply)).impressions, 1);
  });

  test('notes hours that change long after they are over', async () => {
    const room = await suite.room();
    const { statistics } = room.store;
    const { supply } = await market(room);
    const range = { fromDay: day, toDay: day };
    assert.deepEqual(await statistics.lateHours(room.actor.teamId, range), []);
    const beganMs = Date.now();
    const pairs = [
      pairCounts(supply, undefined, { requests: 1 }, day * 24 + 3),
      pairCounts(supply, undefined, { promised: -1 }, day * 24 + 4),
      pairCounts(supply, undefined, { requests: 1 }, Math.floor(beganMs / 3_600_000) - 1),
    ];
    await statistics.add([{ id: randomUUID(), timeMs: startMs, pairs, addresses: [] }]);
    const [late, ...others] = await statistics.lateHours(room.actor.teamId, {
      ...range,
      toDay: day + 10_000,
    });
    assert.deepEqual(others, []);
    assert.equal(late?.hour, day * 24 + 3);
    assert.ok(Number(late?.timeMs) >= beganMs);
  });
}

/** What the store promises of records that outboxes send. */
export function takingContract(engine: Engine): void {
  for (const part of [takingOnce, leavingRefusals, remembering, refusing]) {
    describe(`statistics: taking records, ${part.name}`, () => part(openedFor(engine)));
  }
}
