import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { type Cube, cubeRows } from '../../src/reference/cubes.ts';
import { type DimensionName, dimensionRows, timeUnits } from '../../src/reference/dimensions.ts';
import { measureRows } from '../../src/reference/measures.ts';
import type { ReportQuestion } from '../../src/statistics/asking/question.ts';
import type { CubeQuestion } from '../../src/store/statistics/interface.ts';
import { isAbsent } from '../clickhouse/engine-folder.ts';
import { clickHouse, type LedgerEngine } from '../clickhouse/kept-singly.ts';
import type { Engine } from '../store/engine.ts';
import { postgres } from '../store/postgres-engine.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { openedFor, type TeamRoom } from '../store/team-room.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { areAllDrawn, randomStream, seed } from '../support/seed.ts';
import { dayMs, startMs } from './counting.ts';
import {
  assertReported,
  auctionFacts,
  type Fact,
  isByCurrency,
  isPlayed,
  keptNow,
  type Market,
  measuresOf,
  type Played,
  play,
  questionOf,
} from './ledger.ts';
import { storeSink } from './store-sink.ts';

/** They take ten seconds on two cores; `BOURSE_TEST_AUCTIONS=1500` plays more of them, in a minute. */
const auctions = Number(process.env.BOURSE_TEST_AUCTIONS ?? 150);
const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/New_York',
];

async function marketIn(room: TeamRoom): Promise<Market> {
  const objects = async (kind: string, account: string, field: string) => {
    const owner = await room.add(account, { Name: 'o' });
    return { kind, id: await room.add(kind, { [field]: owner }), owner };
  };
  return {
    teamId: room.actor.teamId,
    supplies: [
      await objects('VastTag', 'Publisher', 'PublisherId'),
      await objects('PopFeed', 'Publisher', 'PublisherId'),
    ],
    demands: [
      await objects('Campaign', 'Advertiser', 'AdvertiserId'),
      await objects('DspVastTag', 'Advertiser', 'AdvertiserId'),
    ],
  };
}

/** Dimensions that a cube has all of, by the columns that the table of dimensions names. */
function dimensionsOf(cube: Cube): DimensionName[] {
  const column = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const sides = {
    supply: ['publisher_id', 'supply_kind', 'supply_id'],
    demand: ['advertiser_id', 'demand_kind', 'demand_id'],
  };
  const columns = new Set([...cube.objects.flatMap((side) => sides[side]), ...cube.attributes.map(column)]);
  return dimensionRows.flatMap(([name, row]) => (row.columns.every((one) => columns.has(one)) ? [name] : []));
}

/** Groupings by some dimensions of a cube: each alone, and all; of tables of cubes also each two. */
function groupingsOf(cube: Cube, hasCubes: boolean): DimensionName[][] {
  const names = dimensionsOf(cube);
  if (!hasCubes) return [...names.map((name) => [name]), names];
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]));
  return [...names.map((name) => [name]), ...pairs, names];
}

let server: SharedPostgres;
before(async () => {
  server = await sharedPostgres();
});
after(() => server.remove());

/** An engine of cubes: what is written to its store can be asked for. */
const ofCubes = (engine: Engine, sinkOn: LedgerEngine['sinkOn']): LedgerEngine => ({ ...engine, sinkOn });

if (areAllDrawn && isAbsent)
  test('reports equal a ledger on ClickHouse', { skip: isAbsent }, () => undefined);
const onServers = (): readonly LedgerEngine[] => [
  ofCubes(
    postgres(() => server),
    (store, now) => storeSink({ store, now }),
  ),
  ...(isAbsent ? [] : [clickHouse()]),
];
const engines: readonly LedgerEngine[] = [
  ofCubes(sqlite, (store, now) => storeSink({ store, now })),
  ...(areAllDrawn ? onServers() : []),
];
for (const engine of engines) {
  const hasCubes = engine.name !== 'ClickHouse';
  describe(`reports equal a ledger of everything that was counted, on ${engine.name} (seed ${seed})`, () => {
    const suite = openedFor(engine, () => keptNow.nowMs);
    const facts: Fact[] = [];
    let market: Market;
    const ask = (more: Partial<ReportQuestion>) =>
      assertReported(suite.opened().store, market, facts, questionOf(market, more));

    test('a simulation is counted', async () => {
      const room = await suite.room();
      market = await marketIn(room);
      const random = randomStream();
      const sink = engine.sinkOn(room.store, () => startMs);
      const played = Array.from({ length: auctions }, () => auctionFacts(random, market));
      await Promise.all(played.map((one) => play(one, sink)));
      facts.push(...played.flat());
      await sink.close();
      // What another team counts is in none of it.
      const other = await marketIn(await suite.room());
      const others = engine.sinkOn(room.store, () => startMs);
      await Promise.all(Array.from({ length: 20 }, () => play(auctionFacts(random, other), others)));
      await others.close();
      assert.ok(facts.length > auctions);
    });

    // Of single events there is no bid's deal: cubes have it on every engine. The market has no floor rules.
    const isAsked = ({ counts, openIn }: Cube) =>
      counts !== 'partner' && counts !== 'floor' && (hasCubes || !openIn);
    for (const [name, cube] of cubeRows.filter(([, one]) => isAsked(one))) {
      test(`by every grouping of ${name}`, async () => {
        const all = measuresOf(name);
        let rows = 0;
        for (const groups of groupingsOf(cube, hasCubes)) {
          const measures = all.filter((one) => groups.includes('Currency') || !isByCurrency(one));
          rows += await ask({ groups, measures });
          rows += await ask({ groups: ['Day', ...groups], measures });
        }
        assert.ok(rows > 0);
      });
    }

    for (const zone of zones) {
      test(`by every step of time in ${zone}`, async () => {
        for (const unit of timeUnits) {
          await ask({ groups: [unit], zone });
          await ask({ groups: [unit, 'Supply', 'Demand'], zone });
        }
      });

      test(`by country, device, size and site in ${zone}`, async () => {
        for (const unit of ['Hour', 'Day'] as const) {
          await ask({ groups: [unit, 'Country', 'DeviceType'], zone });
          await ask({ groups: [unit, 'Supply', 'DeviceType'], zone });
          await ask({ groups: [unit, 'Supply', 'Medium', 'Size'], zone });
          await ask({ groups: [unit, 'Publisher', 'Site'], zone });
          await ask({ groups: [unit, 'Demand', 'Country'], measures: ['Calls', 'Revenue'], zone });
        }
        await ask({ groups: ['Supply', 'Country'], zone });
        await ask({ groups: ['Advertiser', 'DeviceType'], measures: ['Bids', 'Cost'], zone });
      });
    }

    test('on days of 23 and 25 hours, and after late events', async () => {
      const room = await suite.room();
      const own = await marketIn(room);
      const random = randomStream();
      const changes: readonly (readonly [zone: string, date: string])[] = [
        ['Europe/Berlin', '2026-10-25'],
        ['Australia/Lord_Howe', '2027-04-04'],
        ['America/St_Johns', '2027-03-14'],
      ];
      for (const [zone, date] of changes) {
        const laterMs = Date.parse(date) - startMs - dayMs;
        const moved = ({ timeMs, ...fact }: Played): Played => ({ ...fact, timeMs: timeMs + laterMs });
        const played = Array.from({ length: 60 }, () => auctionFacts(random, own).map(moved));
        const period = { fromMs: startMs + laterMs - dayMs, untilMs: startMs + laterMs + 4 * dayMs, zone };
        const seen: Fact[] = [];
        // What is billed comes in a second lot, after the first has been asked for.
        for (const isLate of [false, true]) {
          const sink = engine.sinkOn(room.store, () => startMs);
          const lot = played.map((facts) => facts.filter(({ billed }) => (billed !== undefined) === isLate));
          await Promise.all(lot.map((one) => play(one, sink)));
          await sink.close();
          seen.push(...lot.flat());
          for (const groups of [
            ['Hour', 'Country'],
            ['Day', 'Country', 'DeviceType'],
            ['Day', 'Supply', 'Country'],
            ['Day', 'Site'],
            ['Week', 'Size'],
          ] as const)
            await assertReported(room.store, own, seen, questionOf(own, { ...period, groups }));
          const days = { ...period, zone: 'UTC', groups: ['Day', 'Country'] } as const;
          await assertReported(room.store, own, seen, questionOf(own, days));
        }
      }
    });

    test('with filters, on objects, accounts and traffic', async () => {
      const [{ kind = '', id = 0, owner = 0 } = {}] = market.supplies;
      const [{ kind: demandKind = '', id: demandId = 0 } = {}] = market.demands;
      const supply = { field: 'Supply', isNot: false, values: [[kind, id]] } as const;
      const demand = { field: 'Demand', isNot: false, values: [[demandKind, demandId]] } as const;
      const noDemand = { field: 'DemandKind', isNot: true, values: [['']] } as const;
      for (const filters of [
        [supply],
        [demand],
        [noDemand],
        [supply, demand],
        [{ ...supply, isNot: true }],
      ]) {
        for (const unit of timeUnits) await ask({ groups: [unit], filters });
        await ask({ groups: ['Day', 'Country'], measures: ['Calls', 'Revenue'], filters });
        const measures = ['Refusals', 'LostValue'] as const;
        for (const unit of ['Hour', 'Day'] as const)
          await ask({ groups: [unit, 'Reason'], measures, filters });
      }
      await ask({ groups: ['Country'], filters: [{ field: 'Publisher', isNot: false, values: [[owner]] }] });
      const names = [['other'], ['\\other'], ['\\\\x'], ['a"b,c'], ['']];
      for (const value of names) {
        await ask({ groups: ['Site'], filters: [{ field: 'Site', isNot: false, values: [value] }] });
      }
      for (const isNot of hasCubes ? [false, true] : []) {
        for (const values of [[['d1']], [['']], [[''], ['\\other']]]) {
          const filters = [{ field: 'Deal', isNot, values }, supply] as const;
          for (const groups of [['Hour'], ['Deal'], ['Day', 'Demand', 'Deal'], ['Demand']] as const) {
            await ask({ groups, measures: measuresOf('deal'), filters });
            await ask({ groups: [...groups, 'Reason'], measures: ['Refusals', 'LostValue'], filters });
          }
        }
      }
      for (const isNot of hasCubes ? [false, true] : []) {
        for (const values of [[['EUR']], [['']], [[''], ['JPY']]]) {
          const filters = [{ field: 'Currency', isNot, values }, demand] as const;
          for (const groups of [['Currency'], ['Day', 'Supply', 'Currency'], ['Hour', 'Currency']] as const)
            await ask({ groups, measures: measuresOf('currency'), filters });
          const isOne = !isNot && values.length === 1;
          const measures = isOne ? (['Cost', 'LocalRevenue', 'LocalCost'] as const) : (['Cost'] as const);
          await ask({ groups: ['Day', 'Advertiser'], measures, filters });
        }
      }
      const reasons = { field: 'Reason', isNot: false, values: [['lost'], ['inactive']] } as const;
      await ask({ groups: ['Supply', 'Demand'], measures: ['LostValue'], filters: [reasons, noDemand] });
      await ask({ groups: ['DemandKind'], measures: ['Refusals'], filters: [{ ...reasons, isNot: true }] });
    });

    test('by any combination, where single events are kept', { skip: hasCubes }, async () => {
      const ofCubesOnly: readonly DimensionName[] = ['Reason', 'Currency', 'FloorRule', 'FloorGroup'];
      const everything = dimensionRows.flatMap(([name]) => (ofCubesOnly.includes(name) ? [] : [name]));
      const ofAds: readonly DimensionName[] = ['Seat', 'AdDomain', 'Creative', 'Deal'];
      const ofTraffic = everything.filter((name) => !ofAds.includes(name));
      const measures = measuresOf('audience').filter((name) => name !== 'Invalid');
      for (const zone of zones) {
        await ask({ groups: ['QuarterHour', 'Os', 'Site', 'Demand'], measures, zone });
        await ask({
          groups: ['Hour', 'Country', 'Size', 'SubId'],
          measures: ['LatencyP50', 'LatencyP99', 'Calls'],
          zone,
        });
      }
      assert.ok((await ask({ groups: ofTraffic, measures })) > 10);
      assert.ok((await ask({ groups: everything, measures: measuresOf('ad') })) > 10);
      await ask({
        groups: ['Hour', 'Supply', 'Demand'],
        measures: ['Requests', 'Refusals', 'LostValue', 'Invalid'],
      });
      const site = { field: 'Site', isNot: true, values: [['a"b,c'], ['\\other']] } as const;
      await ask({ groups: ['Os', 'Country'], measures, filters: [site] });
    });

    test('long answers come in parts, and one that is not read to its end holds up no other', {
      skip: !hasCubes,
    }, async () => {
      const { statistics } = suite.opened().store;
      const day = Math.floor(startMs / 86_400_000);
      const question: CubeQuestion = {
        cube: 'site',
        grain: 'day',
        teamId: market.teamId,
        conditions: [],
        rowsMax: 10_000,
        ranges: Array.from({ length: 4 }, (_, bucket) => ({
          bucket,
          from: day + bucket,
          until: day + bucket + 1,
        })),
        columns: ['supply_kind', 'supply_id', 'demand_kind', 'demand_id', 'site'],
        counters: ['calls'],
      };
      const whole = (await Array.fromAsync(statistics.ask(question))).flat();
      for (let time = 0; time < 5; time += 1) {
        for await (const part of statistics.ask(question)) {
          assert.ok(part.length > 0 && part.length <= 250);
          break;
        }
      }
      const again = await Promise.all(
        Array.from(
          { length: 5 },
          async () => (await Array.fromAsync(statistics.ask(question))).flat().length,
        ),
      );
      assert.deepEqual(again, Array<number>(5).fill(whole.length));
    });

    test('what is not counted together is refused, and says what could be asked', {
      skip: !hasCubes,
    }, async () => {
      const refused = async (more: Partial<ReportQuestion>, path: string, message: RegExp) =>
        assert.rejects(ask(more), (error) => {
          assert.ok(error instanceof Refusal);
          assert.deepEqual(
            error.faults.map(({ Path }) => Path),
            [path],
          );
          assert.match(error.faults[0]?.Message ?? '', message);
          return true;
        });
      await refused(
        { groups: ['Os', 'Site'] },
        'GroupBy',
        /^Os, Site are not counted together; .*Supply.*Os/,
      );
      await refused(
        { groups: ['Creative'], measures: ['Bids'] },
        'Measures',
        /^Bids cannot be shown by Creative; leave out Bids and use Wins, .*; or leave out Creative$/,
      );
      // Demand by country is kept for longer, but without the requests of supply.
      await refused(
        { groups: ['Demand', 'Country'], measures: ['Requests'], fromMs: startMs - 60 * 86_400_000 },
        'From',
        /; or leave out Requests and use Calls, .*; or leave out Demand; or leave out Country$/,
      );
      await refused(
        { groups: ['Os'], zone: 'Asia/Tokyo', fromMs: startMs - 9 * 3_600_000 },
        'TimeZone',
        /only by days \(UTC\)/,
      );
      await refused({ groups: ['Hour', 'Os'] }, 'GroupBy', /is kept only by days \(UTC\)/);
      await refused(
        { groups: ['Hour', 'Supply', 'Demand', 'Country'] },
        'GroupBy',
        /is kept only by days \(UTC\); .*or leave out Demand; or leave out Country$/,
      );
      await refused(
        { groups: ['Hour', 'Country'], fromMs: startMs - 31 * 86_400_000 },
        'From',
        /quarter hours \(UTC\), which are kept for this since 2026-08-04T00:00:00Z/,
      );
      // The first day of this zone begins before there are quarter hours, but all days of UTC are there.
      const tokyo = { groups: ['Country'], zone: 'Asia/Tokyo', fromMs: startMs - 40 * 86_400_000 } as const;
      await refused({ ...tokyo, fromMs: tokyo.fromMs - 9 * 3_600_000 }, 'From', /quarter hours \(UTC\)/);
      await ask(tokyo);
      const old = startMs - 200 * 86_400_000;
      await refused(
        { groups: ['Hour'], fromMs: old },
        'From',
        /hours \(UTC\), which are kept for this since 2026-06-03T00:00:00Z/,
      );
      await refused(
        { groups: ['QuarterHour'], fromMs: startMs - 50 * 86_400_000 },
        'From',
        /quarter hours \(UTC\)/,
      );
      await refused({ groups: ['Os'], fromMs: old }, 'From', /days \(UTC\), which are kept for this since/);
      await refused(
        { groups: ['Supply'], measures: ['Requests', 'Refusals'] },
        'Measures',
        /^Requests, Refusals cannot be shown together by Supply; leave out Refusals and use /,
      );
      await refused({ groups: ['Country'], measures: ['Refusals'] }, 'Measures', /leave out Country$/);
      await refused(
        { groups: ['Supply'], measures: ['Cost', 'LocalCost'] },
        'Measures',
        /^LocalCost has amounts of each Currency, which cannot be added; group by Currency, or filter by one$/,
      );
      await ask({ groups: ['Month'], fromMs: old });
      const asked = new Set(cubeRows.flatMap(([name]) => measuresOf(name)));
      assert.equal(asked.size, measureRows.filter(([, { from }]) => from.every(isPlayed)).length);
    });
  });
}
