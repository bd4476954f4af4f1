import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { type Random, seededRandom } from '../../src/simulation/random.ts';
import { type ExchangeRoom, furnish } from '../exchange/exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from '../exchange/mock-dsp.ts';
import { film } from '../exchange/vast-room.ts';
import { pause } from '../support/pause.ts';
import { seed as seedOfRun } from '../support/seed.ts';
import { playAnHourLater, playCalmly } from './calm.ts';
import { type Engines, regions, startEngines } from './engines.ts';
import { type Around, faults, goWrong } from './faults.ts';
import { createLedger, type Overshoot } from './ledger.ts';
import { type Cluster, startCluster } from './machines.ts';
import { type Offer, openMarket } from './market.ts';
import { answeredWithinMs, createPlayers, type Players } from './players.ts';
import { type Settled, settledOf, storedOf } from './settled.ts';
import { copyObject } from './unused-objects.ts';

/**
 * Four Bourses in two regions on one PostgreSQL, with a Redis in each region and a ClickHouse, under load and faults: `npm run test:cluster`, with `-- --minutes 30`
 * for more rounds and `-- --seed N` for the same again. Each round has objects of its own and every fault once, or with `--fault "kill -9"` those of that name; without faults limits change, one machine is asked alone, and an hour
 * passes. `--only faults` and `--only calm` play one of both.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string' },
    only: { type: 'string' },
    fault: { type: 'string', default: '' },
  },
  strict: false,
  allowPositionals: true,
});
const seed = Number(values.seed ?? seedOfRun);
const lastsMs = Number(values.minutes) * 60_000;
/** Configured with four limits each, and never asked for: they must cost nothing. */
const unusedObjects = 50_000;
const settlesWithinMs = 30_000;

interface Result {
  readonly rounds: number;
  readonly overshoot: readonly Overshoot[];
  /** What must not be, in words. */
  readonly wrong: readonly string[];
  readonly expected: readonly Settled[];
  readonly stored: readonly Settled[];
  readonly ads: number;
  readonly shown: number;
}

const askEveryMs = 25;
const unusedCampaign = {
  ...film,
  Name: 'Unused',
  Cpm: 4,
  RequestsDailyLimit: 1000,
  BidsDailyLimit: 1000,
  ImpressionsDailyLimit: 1000,
  SpendTotalLimit: 1000,
};

const patientMs = 60_000;
/** A machine that has much else to do may say so, or take long: then it is asked again. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const lateMs = performance.now() + patientMs; ; await pause()) {
    try {
      return await ask();
    } catch (error) {
      const { actual } = error as { readonly actual?: unknown };
      if ((actual !== 503 && actual !== 429) || performance.now() > lateMs) throw error;
    }
  }
}

/** Median, 99 % and the slowest of times in milliseconds. */
function quantiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return `${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms (slowest)`;
}

function summaryOf(
  { rounds, overshoot, wrong, ads, shown }: Result,
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
    ...wrong,
  ].join('\n');
}

describe('four machines in two regions, under load and faults', () => {
  let engines: Engines;
  let dsp: MockDsp;
  let cluster: Cluster;
  let room: ExchangeRoom;
  let players: Players;
  let result: Result;

  const opening = (isCalm: boolean) => ({ dspUrl: `${dsp.url}/ad`, timeMs: cluster.clock.now(), isCalm });
  /** Waits until all machines serve what was written. */
  const served = async (): Promise<void> => {
    await patiently(() => room.served());
    const { Threads: [revision] = [] } = (await patiently(() => room.call('exchange/status'))) as {
      Threads?: readonly number[];
    };
    const headers = { authorization: `Bearer ${cluster.token}` };
    for (const { url } of cluster.machines) {
      await patiently(async () => {
        const answer = await fetch(`${url}/api/exchange/status?Revision=${revision}`, { headers });
        assert.equal(answer.status, 200, await answer.text());
      });
    }
  };
  const open = async (isCalm: boolean): Promise<Offer[]> => {
    const offers = await openMarket(room, opening(isCalm));
    await served();
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

  const furnishCluster = async (): Promise<void> => {
    const [first] = cluster.machines;
    const { token } = cluster;
    const { databaseUrl } = engines;
    const close = async () => undefined;
    const furnished = await furnish({
      url: first?.url ?? '',
      token,
      databaseUrl,
      mail: '',
      password: '',
      close,
    });
    room = { ...furnished, add: (path, values) => patiently(() => furnished.add(path, values)) };
    const { Id } = await room.add('campaign', unusedCampaign);
    await copyObject(databaseUrl, 'campaign', Id, unusedObjects);
  };
  /** A round of faults under load. */
  const playRound = async (around: Around, random: Random, say: (what: string) => void): Promise<Offer[]> => {
    const offers = await open(false);
    const over = new AbortController();
    const playing = players.play({ offers, everyMs: askEveryMs, until: over.signal });
    try {
      await goWrong(around, { random, wanted: String(values.fault), onFault: say });
    } finally {
      // Whoever goes on playing keeps the process running.
      over.abort();
    }
    await playing;
    say('the rest is shown');
    await players.showRest();
    return offers;
  };

  before(async () => {
    engines = await startEngines();
    dsp = await startMockDsp();
    dsp.answer('/ad', () => ({ body: vastAd() }));
    cluster = await startCluster(engines, async (started) => {
      cluster = started;
      await furnishCluster();
    });
    const random = seededRandom(seed);
    const { clock } = cluster;
    const ledger = createLedger({
      ...clock,
      hasValkeys: engines.hasValkeys,
      // Two are killed and followed.
      placesOfAddress: regions.length + 2,
    });
    players = createPlayers(cluster.machines, ledger, seededRandom(seed + 1));
    const wrong: string[] = [];
    const onWrong = (what: string) => void wrong.push(what);
    const beganMs = performance.now();
    let rounds = 0;
    const say = (what: string) =>
      console.log(`# round ${rounds + 1}, ${Math.round((performance.now() - beganMs) / 1000)} s: ${what}`);
    const all: Offer[] = [];
    const wants = (part: string) => values.only === undefined || values.only === part;
    while (wants('faults') && (rounds === 0 || performance.now() - beganMs < lastsMs)) {
      all.push(...(await playRound({ cluster, players, onWrong }, random, say)));
      rounds += 1;
    }
    const shownAds = () => ledger.ads.filter(({ shownMs }) => shownMs !== undefined);
    const settled = () => settle(settledOf(shownAds()));
    if (wants('calm')) {
      const offers = await open(true);
      const calm = { cluster, players, ledger, random, served, settled, onWrong };
      await playCalmly({ ...calm, offers }, say);
      say('an hour later');
      await playAnHourLater({ ...calm, offers: [...all, ...offers] });
    }
    say('settles');
    const shown = shownAds();
    const expected = settledOf(shown);
    const [overshoot, stored] = [ledger.overshoot(), await settle(expected)];
    result = { rounds, overshoot, wrong, expected, stored, ads: ledger.ads.length, shown: shown.length };
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

  test('no limit is exceeded by one, by the line of the moment, and that of addresses in no region', () => {
    assert.deepEqual(
      result.overshoot.filter(({ over }) => over > 0),
      [],
    );
  });

  test('limits are used up at one machine alone, promises not kept are given back, and clocks are watched', () => {
    assert.deepEqual(result.wrong, []);
  });
});
