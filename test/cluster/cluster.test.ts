import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/simulation/random.ts';
import { type ExchangeRoom, furnish } from '../exchange/exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from '../exchange/mock-dsp.ts';
import { pause } from '../support/pause.ts';
import { seed as seedOfRun } from '../support/seed.ts';
import { type Engines, regions, startEngines } from './engines.ts';
import { faults, goWrong } from './faults.ts';
import { createLedger, type Overshoot } from './ledger.ts';
import { type Cluster, startCluster } from './machines.ts';
import { type Offer, openMarket } from './market.ts';
import { answeredWithinMs, createPlayers, type Players } from './players.ts';
import { type Settled, settledOf, storedOf } from './settled.ts';

/**
 * Four Bourses in two regions on one PostgreSQL, with a Redis in each region and a ClickHouse, under load and faults: `npm run test:cluster`, with `-- --minutes 30`
 * for more rounds and `-- --seed N` for the same again. Each round has objects of its own and every fault once.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '0' }, seed: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const seed = Number(values.seed ?? seedOfRun);
const lastsMs = Number(values.minutes) * 60_000;
/**
 * Regions tell each other of an address only with what they write, and a Valkey that was killed has forgotten it: each
 * process keeps that limit by itself, also the one that is killed and the one that follows it.
 */
const processes = regions.length + 1;
const isExceeded = ({ name, allowed, came, over }: Overshoot) =>
  name.startsWith('ImpressionsLimitPerIp') ? came > processes * allowed : over > 0;
const settlesWithinMs = 30_000;

interface Result {
  readonly rounds: number;
  readonly overshoot: readonly Overshoot[];
  readonly expected: readonly Settled[];
  readonly stored: readonly Settled[];
  readonly ads: number;
  readonly shown: number;
}

/** Median, 99 % and the slowest of times in milliseconds. */
function quantiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return `${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms (slowest)`;
}

function summaryOf(
  { rounds, overshoot, ads, shown }: Result,
  { tookMs, unanswered, acknowledgedMs }: Players,
): string {
  const rows = overshoot.map(({ name, allowed, came, over }) =>
    [name.padEnd(40), String(allowed).padStart(7), String(came).padStart(7), String(over).padStart(7)].join(
      ' ',
    ),
  );
  return [
    `seed ${seed}: ${rounds} round(s) of ${faults.length} faults, ${tookMs.length} auctions, ${ads} ads, ${shown} shown`,
    `auctions answered in ${quantiles(tookMs)}; not answered: ${unanswered.length}`,
    `impressions acknowledged in ${quantiles(acknowledgedMs)}`,
    `${'limit'.padEnd(40)} allowed at most    over`,
    ...rows,
  ].join('\n');
}

describe('four machines in two regions, under load and faults', () => {
  let engines: Engines;
  let dsp: MockDsp;
  let cluster: Cluster;
  let room: ExchangeRoom;
  let players: Players;
  let result: Result;

  /** Opens a market, and waits until all machines serve it. */
  const open = async (): Promise<Offer[]> => {
    const offers = await openMarket(room, `${dsp.url}/ad`, Date.now());
    await room.served();
    const { Threads: [revision] = [] } = (await room.call('exchange/status')) as {
      Threads?: readonly number[];
    };
    const headers = { authorization: `Bearer ${cluster.token}` };
    for (const { url } of cluster.machines) {
      const answer = await fetch(`${url}/api/exchange/status?Revision=${revision}`, { headers });
      assert.equal(answer.status, 200, await answer.text());
    }
    return offers;
  };
  const settle = async (expected: readonly Settled[]): Promise<readonly Settled[]> => {
    const lateMs = performance.now() + settlesWithinMs;
    for (;;) {
      const stored = await storedOf(engines.databaseUrl);
      if (JSON.stringify(stored) === JSON.stringify(expected) || performance.now() > lateMs) return stored;
      await pause();
    }
  };

  before(async () => {
    engines = await startEngines();
    dsp = await startMockDsp();
    dsp.answer('/ad', () => ({ body: vastAd() }));
    cluster = await startCluster(engines);
    const [first] = cluster.machines;
    const { token } = cluster;
    const { databaseUrl } = engines;
    const close = async () => undefined;
    room = await furnish({ url: first?.url ?? '', token, databaseUrl, mail: '', password: '', close });
    const random = seededRandom(seed);
    const ledger = createLedger();
    players = createPlayers(cluster.machines, ledger, seededRandom(seed + 1));
    const beganMs = performance.now();
    let rounds = 0;
    do {
      const offers = await open();
      const over = new AbortController();
      const playing = players.play(offers, over.signal);
      const say = (what: string) =>
        console.log(`# round ${rounds + 1}, ${Math.round((performance.now() - beganMs) / 1000)} s: ${what}`);
      await goWrong(cluster, random, say);
      over.abort();
      await playing;
      say('the rest is shown');
      await players.showRest();
      say('settles');
      rounds += 1;
    } while (performance.now() - beganMs < lastsMs);
    const shown = ledger.ads.filter(({ shownMs }) => shownMs !== undefined);
    const expected = settledOf(shown);
    const [overshoot, stored] = [ledger.overshoot(Date.now()), await settle(expected)];
    result = { rounds, overshoot, expected, stored, ads: ledger.ads.length, shown: shown.length };
    console.log(summaryOf(result, players));
  });
  after(async () => {
    await cluster?.close();
    await dsp?.close();
    await engines?.close();
  });

  test('no acknowledged impression is lost or counts twice, and figures settle to the micro-dollar', () => {
    assert.ok(result.shown > 0);
    assert.deepEqual(result.stored, result.expected);
  });

  test('ClickHouse has every impression once', async () => {
    const kept = async () => (await engines.impressionsKept()) ?? result.shown;
    const lateMs = performance.now() + settlesWithinMs;
    while ((await kept()) !== result.shown && performance.now() < lateMs) await pause();
    assert.equal(await kept(), result.shown);
  });

  test(`auctions are answered in ${answeredWithinMs} ms while anything but their machine is away`, () => {
    assert.ok(players.tookMs.length > 0);
    assert.deepEqual(players.unanswered, []);
  });

  test('no limit that is shared out is exceeded by one, and that of addresses by no process', () => {
    assert.deepEqual(result.overshoot.filter(isExceeded), []);
  });
});
