import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { leaseMs, safeRateMs } from '../../src/leases/authority.ts';
import { limited, midnightMs } from '../exchange/limits/limited.ts';
import { seeded } from '../support/seed.ts';
import { type Machine, World } from './sharing-world.ts';

const noonMs = midnightMs + 12 * 3_600_000;
const stepMs = 20;
const roundMs = 1000;

/** Machines with a flow of requests each, and when these were let through. */
class Stream {
  readonly world: World;
  readonly taken: { readonly at: number; readonly timeMs: number }[] = [];
  /** Requests a second at each machine. */
  flows: readonly number[];
  /** Those that do not run until a time. */
  readonly stoppedUntilMs: number[];
  readonly owed: number[];

  constructor(maxQps: number, flows: readonly number[]) {
    this.world = new World(noonMs, [limited({ maxQps })], flows.length);
    this.flows = flows;
    this.owed = flows.map(() => 0);
    this.stoppedUntilMs = flows.map(() => 0);
  }

  private isDue(index: number, ms: number): boolean {
    return (this.world.nowMs + index * 300) % ms < stepMs;
  }

  async pass(ms: number): Promise<void> {
    const { world } = this;
    for (let left = ms; left > 0; left -= stepMs) {
      world.nowMs += stepMs;
      for (const [index, machine] of world.machines.entries()) {
        if (world.nowMs < (this.stoppedUntilMs[index] ?? 0)) continue;
        this.owed[index] = (this.owed[index] ?? 0) + ((this.flows[index] ?? 0) * stepMs) / 1000;
        for (; (this.owed[index] ?? 0) >= 1; this.owed[index] = (this.owed[index] ?? 0) - 1) {
          const [object] = world.objects;
          if (object && machine.request(object)) this.taken.push({ at: index, timeMs: world.nowMs });
        }
        const isSoon = this.isDue(index, roundMs / 4) && machine.process.wasLacked?.();
        if (this.isDue(index, roundMs) || isSoon) await machine.turn();
      }
    }
  }

  /** The most that any window of a second has held since a time. */
  most(sinceMs = 0): number {
    const times = this.taken.map(({ timeMs }) => timeMs).filter((timeMs) => timeMs >= sinceMs);
    let [first, most] = [0, 0];
    for (const [last, timeMs] of times.entries()) {
      while (timeMs - (times[first] ?? 0) >= 1000) first += 1;
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  rate(sinceMs: number, at?: number): number {
    const taken = this.taken.filter((one) => one.timeMs >= sinceMs && (at === undefined || one.at === at));
    return (taken.length * 1000) / (this.world.nowMs - sinceMs);
  }
}

const machine = fc.nat({ max: 2 });
type Step = (stream: Stream) => void | Promise<void>;

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(300, 1000, 2500, 6000, leaseMs, 20_000).map(
      (ms): Step =>
        (stream) =>
          stream.pass(ms),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(machine, fc.constantFrom('all', 'every other', 'no answers', 'nothing'))
      .map(([at, reach]): Step => {
        return ({ world }) => void Object.assign(world.machines[at] ?? {}, { reach });
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(machine, fc.constantFrom(500, 5000, leaseMs - 300, leaseMs + 300, 40_000, safeRateMs))
      .map(([at, ms]): Step => {
        return ({ world, stoppedUntilMs }) => {
          stoppedUntilMs[at] = world.nowMs + ms;
        };
      }),
  },
  {
    weight: 2,
    arbitrary: machine.map(
      (at): Step =>
        ({ world }) =>
          world.machines[at]?.kill(),
    ),
  },
  {
    weight: 2,
    arbitrary: machine.map(
      (at): Step =>
        ({ world }) =>
          world.machines[at]?.restart(),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 0.5, 3, 30))).map((flows): Step => {
      return (stream) => {
        stream.flows = flows;
      };
    }),
  },
);

describe('a rate that processes share', () => {
  test('is in no second above its limit, whatever is cut, stopped or killed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 6, 20),
        fc.array(steps, { minLength: 30, maxLength: 60, size: 'max' }),
        async (maxQps, all) => {
          const stream = new Stream(maxQps, [3, 3, 3]);
          for (const step of all) await step(stream);
          assert.ok(stream.most() <= maxQps, `${stream.most()} in a second of ${maxQps}`);
        },
      ),
      seeded(100),
    );
  });

  test('is within a lowered limit once each has reported', async () => {
    const stream = new Stream(60, [50, 50, 10]);
    await stream.pass(20_000);
    assert.ok(stream.most() > 50);
    stream.world.configure([limited({ maxQps: 25 })]);
    await stream.pass(roundMs);
    const loweredMs = stream.world.nowMs;
    await stream.pass(20_000);
    assert.ok(stream.most(loweredMs) <= 25, `${stream.most(loweredMs)}`);
    assert.ok(stream.rate(loweredMs) > 20, `${stream.rate(loweredMs)}`);
  });

  test('falls to the safe share where the authority is away, which nobody else gets meanwhile', async () => {
    const stream = new Stream(12, [20, 20, 20]);
    const { world } = stream;
    const [cut] = world.machines;
    const [object] = world.objects;
    assert.ok(cut && object);
    await stream.pass(30_000);
    cut.reach = 'nothing';
    await stream.pass(leaseMs);
    const awayMs = world.nowMs;
    await stream.pass(30_000);
    assert.ok(Math.abs(stream.rate(awayMs, 0) - 2) < 0.1, 'half of the limit, by the number of processes');
    assert.equal(cut.process.limits.takeRequest(object, world.nowMs)?.reason, 'limit_authority_away');
    assert.ok(stream.rate(awayMs) > 11, 'others have the rest');
    await stream.pass(safeRateMs);
    const overMs = world.nowMs;
    await stream.pass(30_000);
    assert.equal(stream.rate(overMs, 0), 0);
    assert.ok(stream.rate(overMs) > 11.4, 'others have all');
    cut.reach = 'all';
    await stream.pass(10_000);
    const backMs = world.nowMs;
    await stream.pass(30_000);
    assert.ok(stream.rate(backMs, 0) > 3);
    assert.ok(stream.most() <= 12);
  });

  for (const maxQps of [1, 2, 5, 20]) {
    test(`of ${maxQps} comes where the requests are, though ads are billed at other machines`, async () => {
      const stream = new Stream(maxQps, [50, 0, 0, 0]);
      const [asked, ...others] = stream.world.machines;
      const [object] = stream.world.objects;
      assert.ok(asked && object);
      const billedFor = async (ms: number) => {
        for (let passed = 0; passed < ms; passed += 200) {
          await stream.pass(200);
          const ad: ReturnType<Machine['promise']> = asked.promise(object, 'ad', 5);
          assert.ok(ad);
          for (const other of others) other.bill(ad, 5);
        }
      };
      await billedFor(5000);
      const { nowMs } = stream.world;
      await billedFor(20_000);
      assert.ok(stream.rate(nowMs) >= 0.95 * maxQps, `${stream.rate(nowMs)}`);
    });
  }
});
