import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dayOf } from '../../src/exchange/limits/day-line.ts';
import type { Limited } from '../../src/exchange/snapshot/limited.ts';
import { deliveryPlan } from '../../src/shared/delivery-plan.ts';
import { seededRandom } from '../../src/simulation/random.ts';
import { dayMs, limited, midnightMs } from '../exchange/limits/limited.ts';
import { seeded } from '../support/seed.ts';
import { World } from './sharing-world.ts';

/** Processes with their real limits in shared memory, which share them out by turns, in a world that fails. */

const noonMs = midnightMs + 12 * 3_600_000;
const minuteMs = 60_000;
const timeAt = (hours: number) => `${new Date(noonMs + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
const planned = { Type: 4, Units: 60, StartTime: timeAt(-6), EndTime: timeAt(6) };
/** Of zones whose days begin soon after noon. */
const zones = ['Asia/Magadan', 'Australia/Lord_Howe', 'Asia/Vladivostok', 'Asia/Tokyo', 'Asia/Kolkata', ''];
const zonedId = 6;
const objects: readonly Limited[] = [
  limited({ requestsDaily: 60, impressionsDaily: 40 }, 1),
  limited({ impressionsDaily: 3000, amountDailyNanos: 300 }, 2),
  limited({ amountTotalNanos: 200 }, 3),
  { ...limited({ impressionsTotal: 60 }, 4), kind: 'Deal', plan: deliveryPlan(planned) },
  { ...limited({ impressionsDaily: 80, amountDailyNanos: 300 }, 5), plan: deliveryPlan({ Pacing: 1 }) },
  limited({ impressionsDaily: 50, amountDailyNanos: 100 }, zonedId),
];
const nanosMax = 10;

type Step = (world: World) => void | Promise<void>;

const machine = fc.nat({ max: 2 });
const object = fc.nat({ max: objects.length - 1 });

/** What may happen, with how often it does. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        machine,
        object,
        fc.constantFrom('ad' as const, 'offer' as const),
        fc.integer({ min: 1, max: nanosMax }),
      )
      .map(
        ([at, of, to, nanos]): Step =>
          (world) => {
            world.machines[at % world.machines.length]?.promise(world.objects[of] ?? fail(), to, nanos);
          },
      ),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(machine, fc.nat(), fc.integer({ min: 1, max: nanosMax }))
      .map(([at, which, nanos]): Step => {
        return (world) => {
          // Of the last ads rather than of all: most others are over.
          const ad = world.ads[world.ads.length - 1 - (which % Math.max(1, Math.min(12, world.ads.length)))];
          if (ad && !ad.isBilled) world.machines[at]?.bill(ad, nanos);
          else if (ad) world.machines[at]?.bill(ad, ad.promised.nanos);
        };
      }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(machine, object).map(
      ([at, of]): Step =>
        (world) => {
          world.machines[at]?.request(world.objects[of] ?? fail());
          world.machines[at]?.withdraw(world.objects[of] ?? fail());
        },
    ),
  },
  {
    weight: 6,
    arbitrary: machine.map(
      (at): Step =>
        (world) =>
          world.machines[at]?.turn(),
    ),
  },
  {
    weight: 3,
    arbitrary: machine.map(
      (at): Step =>
        (world) =>
          world.machines[at]?.ship(),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(300, 1000, 4000, 20_000).map(
      (ms): Step =>
        (world) => {
          world.nowMs += ms;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(5, 7, 20, 62, 70).map(
      (minutes): Step =>
        (world) =>
          world.pass(minutes * minuteMs, 30_000),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(machine, fc.constantFrom(...(['all', 'every other', 'no answers', 'nothing'] as const)))
      .map(
        ([at, reach]): Step =>
          (world) => {
            const one = world.machines[at];
            if (one) one.reach = reach;
          },
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(machine, fc.boolean()).map(
      ([at, reaches]): Step =>
        (world) => {
          const one = world.machines[at];
          // One that cannot ship for an hour is waited for no longer: what it brings then is not the limits' any more.
          if (one) one.reachesStore = reaches;
        },
    ),
  },
  {
    weight: 1,
    arbitrary: machine.map(
      (at): Step =>
        (world) =>
          world.machines[at]?.kill(),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>((world) => world.authority?.failOver()),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...zones).map(
      (zone): Step =>
        (world) =>
          world.moveTo(zone, { id: zonedId }),
    ),
  },
  {
    weight: 2,
    arbitrary: machine.map(
      (at): Step =>
        (world) =>
          world.machines[at]?.restart(),
    ),
  },
);

/** Whoever gets a share uses it, and the ad is shown at once. */
const spending = fc.tuple(object, fc.integer({ min: 10, max: 60 })).map(
  ([of, rounds]): Step =>
    async (world) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [at, one] of world.machines.entries()) {
          const ad = one.promise(world.objects[of] ?? fail(), 'ad', nanosMax);
          if (ad) world.machines[(at + round) % world.machines.length]?.bill(ad, nanosMax);
        }
        await world.pass(1500, 1500);
      }
    },
);

/** Ads are shown elsewhere; then their machine, or the one that shows them, is away until they are over, and longer. */
const absence = fc
  .tuple(
    machine,
    machine,
    object,
    fc.constantFrom('kill', 'store', 'authority'),
    fc.constantFrom(30, 58, 66, 75),
  )
  .map(
    ([at, elsewhere, of, how, minutes]): Step =>
      async (world) => {
        const [own, other] = [world.machines[at], world.machines[elsewhere]];
        if (!own || !other) return;
        await world.pass(3000, 1000);
        const ads = Array.from({ length: 12 }, () =>
          own.promise(world.objects[of] ?? fail(), 'ad', nanosMax),
        );
        if (how === 'authority') own.reach = 'nothing';
        // One that cannot ship for an hour is waited for no longer.
        if (how === 'store') await world.pass(20 * minuteMs, 20_000);
        other.reachesStore = how !== 'store';
        for (const [index, ad] of ads.entries()) if (ad && index % 2 === 0) other.bill(ad, nanosMax);
        if (how === 'kill') own.kill();
        await world.pass((how === 'store' ? 45 : minutes) * minuteMs, 20_000);
        for (const [index, ad] of ads.entries()) if (ad && index % 2 === 1) other.bill(ad, nanosMax);
        own.restart();
        own.reach = 'all';
        await world.pass(3000, 1000);
        other.reachesStore = true;
        await world.pass(4000, 2000);
      },
  );

function fail(): never {
  throw new Error('no such object');
}

const worlds = fc.oneof(
  { weight: 12, arbitrary: steps },
  { weight: 1, arbitrary: spending },
  { weight: 1, arbitrary: absence },
);

async function run(world: World, all: readonly Step[]): Promise<void> {
  await world.pass(1000, 1000);
  for (const step of all) await step(world);
}

/** What the authority of a database and that of a process alone both promise. */
for (const [who, machines] of [
  ['processes that share limits', 3],
  ['a process that is alone', 1],
] as const) {
  test(`${who}: no limit is exceeded, whatever fails`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(worlds, { minLength: 120, maxLength: 200 }), async (all) => {
        const world = new World(noonMs, objects, machines);
        await run(world, all);
        assert.deepEqual(world.broken, []);
      }),
      { ...seeded(12), endOnFailure: true },
    );
  });

  test(`${who}: all of a limit is used, once what was not shown is given back`, async () => {
    const world = new World(noonMs, objects, machines);
    const [, , campaign] = world.objects;
    assert.ok(campaign);
    const spend = async (): Promise<number> => {
      let promised = 0;
      for (let round = 0; round < 400; round += 1) {
        const ad = world.machines[round % machines]?.promise(campaign, 'ad', 10);
        promised += ad?.promised.nanos ?? 0;
        await world.pass(1000, 1000);
      }
      return promised;
    };
    await world.pass(2000, 1000);
    assert.equal(await spend(), 200);
    const shown = world.ads.slice(0, 7);
    for (const [index, ad] of shown.entries()) world.machines[(index + 1) % machines]?.bill(ad, 10);
    world.ads.length = 0;
    await world.pass(64 * minuteMs, 15_000);
    assert.equal(await spend(), 130);
    assert.deepEqual(world.broken, []);
  });

  test(`${who}: what was shown while a limit was not set counts once it is set again`, async () => {
    const world = new World(
      noonMs,
      [limited({ amountTotalNanos: 100, impressionsDaily: 10_000 }, 1)],
      machines,
    );
    const show = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        for (const machine of world.machines) {
          const ad = machine.promise(world.objects[0] ?? fail(), 'ad', 10);
          if (ad) machine.bill(ad, 10);
        }
        await world.pass(1000, 1000);
      }
      return world.inAll({ id: 1 }).nanos;
    };
    assert.equal(await show(40), 100, 'all of it');
    world.configure([limited({ impressionsDaily: 10_000 }, 1)]);
    const shown = await show(20);
    assert.ok(shown >= 300, `${shown}`);
    world.configure([limited({ amountTotalNanos: shown + 50, impressionsDaily: 10_000 }, 1)]);
    assert.equal(await show(40), shown + 50);
    assert.deepEqual(world.broken, []);
  });

  test(`${who}: an ad that was handed out before the limit was set counts when it is shown`, async () => {
    const world = new World(noonMs, [limited({}, 1)], machines);
    for (let ad = 0; ad < 10; ad += 1) world.machines[0]?.promise(world.objects[0] ?? fail(), 'ad', 10);
    world.configure([limited({ amountTotalNanos: 60 }, 1)]);
    for (const ad of world.ads.slice(0, 3))
      world.machines[0]?.bill({ ...ad, object: world.objects[0] ?? fail() }, 10);
    for (let second = 0; second < 40; second += 1) {
      for (const machine of world.machines) {
        const ad = machine.promise(world.objects[0] ?? fail(), 'ad', 10);
        if (ad) machine.bill(ad, 10);
      }
      await world.pass(1000, 1000);
    }
    assert.equal(world.inAll({ id: 1 }).nanos, 60);
    assert.deepEqual(world.broken, []);
  });
}

describe('processes that share limits', () => {
  test('report nothing of what nobody asks for, and hold nothing that was not asked for lately', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      limited({ requestsDaily: 500, maxQps: 9 }, index + 1),
    );
    const world = new World(noonMs, many, 3);
    const [one, other] = world.machines;
    const [object] = world.objects;
    assert.ok(one && other && object);
    await world.pass(5000, 1000);
    assert.deepEqual([one.reported, one.process.quotas.size()], [[], 0]);
    assert.equal(one.request(object), false, 'nothing is held before the first auction');
    await world.pass(1000, 1000);
    assert.equal(one.request(object), true);
    assert.deepEqual(other.reported, []);
    await world.pass(10_000, 1000);
    assert.equal(one.request(object), true, 'a quiet object keeps its share for a minute');
    await world.pass(59_000, 1000);
    assert.deepEqual([one.reported, one.process.quotas.size()], [[], 2]);
    await world.pass(5000, 1000);
    assert.equal(one.process.quotas.size(), 0);
    assert.equal(one.request(object), false);
    await world.pass(1000, 1000);
    assert.equal(one.request(object), true);
    await world.pass(110_000, 1000);
    assert.equal(one.request(object), true, 'a share that was missed is kept for longer');
  });

  test('let the machine with the traffic have all of a small rate', async () => {
    for (const maxQps of [1, 2]) {
      const world = new World(noonMs, [limited({ maxQps })], 3);
      const [object] = world.objects;
      assert.ok(object);
      const passed = async (at: number, seconds: number): Promise<number> => {
        let count = 0;
        for (let step = 0; step < seconds * 20; step += 1) {
          if (world.machines[at]?.request(object)) count += 1;
          await world.pass(50, 50);
        }
        return count;
      };
      await passed(0, 3);
      assert.ok((await passed(0, 60)) >= 60 * maxQps * 0.95);
      await passed(1, 63);
      assert.ok((await passed(1, 60)) >= 60 * maxQps * 0.95, 'the other one has all of it');
    }
  });

  test('go on with a day to which a clock is set back', async () => {
    const world = new World(midnightMs + 86_400_000 - 4000, [limited({ requestsDaily: 1000 })], 2);
    const [one, other] = world.machines;
    const [object] = world.objects;
    assert.ok(one && other && object);
    const isWhole = () => {
      for (const { used, unused } of one.reported) assert.ok(used >= 0 && unused >= 0);
    };
    const ask = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        one.request(object);
        isWhole();
        await world.pass(100, 100);
      }
    };
    await ask(20);
    one.skewMs = 2500;
    await ask(5);
    one.skewMs = 0;
    await ask(10);
    isWhole();
    const [report] = one.reported.filter(({ day }) => day === dayOf(midnightMs));
    assert.ok(report === undefined || report.used > 20, 'it still knows what it has used');
    assert.deepEqual(world.broken, []);
  });

  type Traffic = (step: number, random: () => number) => readonly number[];
  /** Which machines are asked for an ad, each quarter of a second. */
  const traffic: readonly (readonly [name: string, secondsMax: number, at: Traffic])[] = [
    ['all machines', 20, () => [0, 1, 2]],
    ['one machine, after all had a share', 20, (step) => (step < 8 ? [0, 1, 2] : [1])],
    ['one machine after the other', 20, (step) => [step % 3]],
    ['any machine now and then', 80, (_, random) => (random() < 0.3 ? [Math.floor(random() * 3)] : [])],
  ];
  /** Asks for ads at random prices, on average so many as the limit allows; answers what is left of it. */
  const spend = async (
    at: Traffic,
    seconds: number,
    seed: number,
    ads: number,
    prices: readonly number[],
  ) => {
    const random = seededRandom(seed);
    let left = Math.floor((ads * prices.reduce((sum, price) => sum + price)) / prices.length);
    const world = new World(noonMs, [limited({ amountTotalNanos: left }, 1)], 3);
    for (let step = 0; step < seconds * 4; step += 1) {
      for (const machine of at(step, random)) {
        const price = prices[Math.floor(random() * prices.length)] ?? 0;
        const ad = world.machines[machine]?.promise(world.objects[0] ?? fail(), 'ad', price);
        left -= ad?.promised.nanos ?? 0;
      }
      await world.pass(250, 250);
    }
    return left;
  };

  for (const [name, secondsMax, at] of traffic)
    test(`leave less of an amount than the smallest ad costs, asked at ${name}`, async () => {
      const price = 4_000_000;
      assert.equal(await spend(at, secondsMax, 1, 30, [price]), 0);
      const drawn = fc.tuple(
        fc.nat(),
        fc.integer({ min: 5, max: 30 }),
        fc.array(fc.integer({ min: price / 4, max: price }), { minLength: 1, maxLength: 3 }),
      );
      await fc.assert(
        fc.asyncProperty(drawn, async ([seed, ads, prices]) => {
          const left = await spend(at, 3 * secondsMax, seed, ads, prices);
          assert.ok(left < Math.min(...prices), `${left} is left`);
        }),
        seeded(20),
      );
    });

  test('give back what a lowered limit does not leave, at the next report of each', async () => {
    const world = new World(noonMs, [limited({ amountTotalNanos: 100_000 }, 1)], 3);
    const spend = () =>
      world.machines.map((one) => one.promise(world.objects[0] ?? fail(), 'ad', 10)?.promised.nanos ?? 0);
    const sumOf = (nanos: readonly number[]) => nanos.reduce((sum, one) => sum + one, 0);
    await world.pass(2000, 1000);
    let promised = 0;
    for (let second = 0; second < 8; second += 1) {
      for (let ad = 0; ad < 40; ad += 1) promised += sumOf(spend());
      await world.pass(1000, 1000);
    }
    assert.ok(promised > 5000);
    world.configure([limited({ amountTotalNanos: promised + 300 }, 1)]);
    await world.pass(1000, 1000);
    for (let ad = 0; ad < 1000; ad += 1) {
      promised += sumOf(spend());
      if (ad % 50 === 0) await world.pass(1000, 1000);
    }
    const line = world.objects[0]?.limits.amountTotalNanos ?? 0;
    assert.ok(promised <= line, `${promised} of ${line}`);
    assert.ok(promised > line - 30, `${promised} of ${line}`);
  });

  test('keep what they know of a day, when a clock steps back over midnight or leaps ahead', async () => {
    const object = limited({ requestsDaily: 60, bidsDaily: 60, impressionsDaily: 60 }, 1);
    for (const [skewMs, backMs] of [
      [0, 1500],
      [0, dayMs],
      [dayMs, dayMs],
      [2 * dayMs, 2 * dayMs],
    ] as const) {
      const world = new World(midnightMs + dayMs - 6000, [object], 3);
      const [one] = world.machines;
      assert.ok(one);
      const use = async (ms: number) => {
        for (let left = ms; left > 0; left -= 500) {
          for (const machine of world.machines)
            for (let count = 0; count < 3; count += 1) machine.request(object);
          await world.pass(500, 500);
        }
      };
      await use(5000);
      one.skewMs = skewMs;
      await use(2000);
      one.skewMs = skewMs - backMs;
      await use(3000);
      one.skewMs = 0;
      await use(6000);
      assert.deepEqual(world.broken, [], `${skewMs} ${backMs}`);
    }
  });
});
