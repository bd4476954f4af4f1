import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  contestedMs,
  goneMs,
  type HolderAnswer,
  type HolderReport,
  type LimitAuthority,
  leaseMs,
  type Resource,
  safeRateMs,
  UnknownHolder,
} from '../../src/leases/authority.ts';
import { placesEnd } from '../../src/leases/parts.ts';
import { seeded } from '../support/seed.ts';
import { restartMs } from './authority-cases.ts';
import type { AuthorityRoom, OpenRoom } from './authority-contract.ts';
import { HonestProcess, type Wish } from './honest-processes.ts';
import { createMemoryAuthority, keyOf } from './model.ts';

const day = 20_000;
/** Objects with one measure each, so that what is billed of an object is of that measure. */
const resources: readonly Resource[] = [
  { kind: 'VastTag', id: 1, measure: 'impressions', day },
  { kind: 'RtbTag', id: 1, measure: 'amount', day: day + 1 },
  { kind: 'VastTag', id: 3, measure: 'total', day: 0 },
  { kind: 'VastTag', id: 4, measure: 'requests', day },
  { kind: 'VastTag', id: 5, measure: 'bids', day: day + 1 },
  { kind: 'VastTag', id: 6, measure: 'rate', day: 0 },
];
/** What the store had counted before anybody held anything. */
const counted = 5;
const processesMax = 6;

/** One step: what is done by which process. Numbers choose among what there is, so every sequence makes sense. */
interface Step {
  readonly kind: keyof typeof actions;
  readonly process: number;
  readonly size: number;
  readonly wishes: readonly (Omit<Wish, 'resource'> & {
    readonly resource: number;
    /** What a liar says. */
    readonly used: number;
    readonly unused: number;
  })[];
  readonly isWhole: boolean;
  /** What becomes of each part of a round. */
  readonly parts: readonly ('answered' | 'unanswered' | 'unsent')[];
  readonly ms: number;
}

const passing = [
  1,
  1,
  1,
  500,
  500,
  contestedMs - 1,
  contestedMs,
  leaseMs - 1,
  leaseMs,
  60_000,
  safeRateMs - 1,
  safeRateMs,
  goneMs - 1,
  goneMs,
];

const weights = {
  join: 3,
  report: 12,
  repeat: 2,
  serve: 8,
  keep: 3,
  resolve: 3,
  pass: 6,
  leave: 1,
  crash: 1,
  settle: 3,
  settleAlive: 1,
  forget: 1,
  restart: 1,
  failOver: 1,
  loseAll: 1,
} as const;

const step = fc
  .record({
    kind: fc.constantFrom(
      ...Object.entries(weights).flatMap(([kind, weight]) =>
        Array<Step['kind']>(weight).fill(kind as Step['kind']),
      ),
    ),
    process: fc.nat({ max: processesMax - 1 }),
    size: fc.nat({ max: 20 }),
    wishes: fc.uniqueArray(
      fc.record({
        resource: fc.nat({ max: resources.length - 1 }),
        line: fc.constantFrom(0, 20, 40, 60, 60, 60),
        wanted: fc.nat({ max: 40 }),
        back: fc.constantFrom(0, 0, 0, 1, 5, 60),
        used: fc.nat({ max: 15 }),
        unused: fc.nat({ max: 15 }),
      }),
      { selector: ({ resource }) => resource, maxLength: resources.length },
    ),
    isWhole: fc.boolean(),
    parts: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.constantFrom('answered', 'unanswered', 'unsent'), { maxLength: 4 }),
      },
    ),
    ms: fc.constantFrom(...passing),
  })
  // A failure names what was done; its seed repeats it.
  .map((one): Step => Object.assign(one, { [fc.toStringMethod]: () => one.kind }));

type Outcome<T> = { readonly value: T } | { readonly error: 'unknown' | 'rejected' };

async function outcome<T>(called: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await called };
  } catch (error) {
    return { error: error instanceof UnknownHolder ? 'unknown' : 'rejected' };
  }
}

/** An authority and the model, and the processes that ask both. */
class Sequence {
  readonly room: AuthorityRoom;
  readonly model: ReturnType<typeof createMemoryAuthority>;
  /** The authority's numbers by those of the model. */
  readonly numbers = new Map<number, number>();
  /** The authority's epochs by those of the model. */
  readonly epochs = new Map<string, string>();
  alive: HonestProcess[] = [];
  /** Those that have left or ended, and are not settled. */
  ended: HonestProcess[] = [];
  /** Of each resource what counts for good, and the greatest line by which something was granted. */
  readonly before = new Map(resources.map((resource) => [keyOf(resource), counted]));
  readonly line = new Map<string, number>();
  lastReport: HolderReport | undefined;
  /** What the authority knows of, so that what the store has counted no longer matters. */
  readonly made = new Set<string>();
  /** Whether processes say what comes to their mind; the authority answers as the model all the same. */
  readonly isLying: boolean;

  constructor(room: AuthorityRoom, isLying: boolean) {
    this.room = room;
    this.isLying = isLying;
    this.model = createMemoryAuthority({ now: () => room.now() });
  }

  /** What the authority and the model answer, which must be the same. */
  async both<T>(
    call: (authority: LimitAuthority, number: (model: number) => number) => Promise<T>,
  ): Promise<Outcome<T>> {
    const [real, wanted] = [
      await outcome(call(this.room.authority(), (number) => this.numbers.get(number) ?? 0)),
      await outcome(call(this.model, (number) => number)),
    ];
    assert.deepEqual(real, wanted);
    return wanted;
  }

  async join(): Promise<number> {
    const [real, number] = [await this.room.authority().join(), await this.model.join()];
    assert.ok(![...this.numbers.values()].includes(real), `${real} was given before`);
    this.numbers.set(number, real);
    return number;
  }

  async report(
    process: HonestProcess,
    wishes: readonly Wish[],
    { isWhole = false, parts = [] }: Partial<Pick<Step, 'isWhole' | 'parts'>>,
  ): Promise<void> {
    process.endRates(this.room.now());
    const reports = this.isLying
      ? [{ limits: wishes.map(lieOf), whole: isWhole ? { from: 0, to: placesEnd } : undefined }]
      : process.report(wishes, isWhole, (resource) => this.countedOf(resource));
    const epochs = new Set<string>();
    for (const [index, part] of reports.entries()) {
      const isLast = index === reports.length - 1 && !epochs.has('');
      const [epoch = ''] = epochs.size === 1 ? epochs : [];
      const report = process.part(part, isLast ? process.resolved : process.reported, epoch);
      const became = parts[index] ?? 'answered';
      epochs.add(became === 'unsent' ? '' : await this.reportPart(process, report, became === 'answered'));
      if (!this.alive.includes(process)) return;
    }
    if (!epochs.has('')) process.reported = process.resolved;
  }

  /** Answers the epoch, "" if no answer came. */
  async reportPart(process: HonestProcess, report: HolderReport, isAnswered: boolean): Promise<string> {
    this.lastReport = report;
    const answered = await this.send(report);
    if ('error' in answered) {
      // It was silent for so long that it was settled: it begins anew.
      assert.equal(answered.error, 'unknown');
      this.alive = this.alive.filter((one) => one !== process);
      return '';
    }
    for (const [index, limit] of report.limits.entries()) {
      const key = keyOf(limit);
      this.made.add(key);
      if ((answered.value.grants[index]?.granted ?? 0) > 0)
        this.line.set(key, Math.max(limit.line, this.line.get(key) ?? 0));
    }
    if (!isAnswered) return '';
    process.hear(report, answered.value, this.room.now());
    return answered.value.epoch;
  }

  countedOf(resource: Resource): number | undefined {
    return this.made.has(keyOf(resource)) ? undefined : counted;
  }

  async send(report: HolderReport): Promise<Outcome<HolderAnswer>> {
    const answers: HolderAnswer[] = [];
    const outcome = await this.both(async (authority, number) => {
      const { whole } = report;
      const epochOf = (epoch: string) =>
        authority === this.model ? epoch : (this.epochs.get(epoch) ?? 'none that it knows');
      const answer = await authority.report({
        ...report,
        holder: number(report.holder),
        whole: whole && { ...whole, epoch: epochOf(whole.epoch) },
      });
      answers.push(answer);
      return { ...answer, epoch: '' };
    });
    const [real, model] = answers;
    if (!real || !model) return outcome;
    assert.equal(this.epochs.get(model.epoch) ?? real.epoch, real.epoch);
    this.epochs.set(model.epoch, real.epoch);
    return { value: model };
  }

  /** What truly counts and is held of no resource exceeds the greatest line by which it was granted. */
  assertKept(): void {
    if (this.isLying) return;
    for (const process of [...this.alive, ...this.ended]) process.endRates(this.room.now());
    for (const [key, before] of this.before) {
      const held = [...this.alive, ...this.ended].reduce((sum, process) => sum + process.has(key), 0);
      const line = Math.max(counted, this.line.get(key) ?? 0);
      assert.ok(before + held <= line, `${before} and ${held} of ${key} exceed ${line}`);
    }
  }
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const resourceAt = (index: number) => resources[index] ?? assert.fail();

/** What a liar says of a resource. */
const lieOf = ({
  resource,
  line,
  wanted,
  used = 0,
  unused = 0,
  back,
}: Wish & Partial<Record<'used' | 'unused', number>>) => ({
  ...resource,
  line,
  wanted,
  before: back,
  counted: back % 3 === 0 ? undefined : used + back,
  unlimited: back % 2,
  used,
  open: Math.min(used, back),
  unused,
});

const wishesOf = ({ wishes }: Step): Wish[] =>
  wishes.map(({ resource, ...wish }) => ({ ...wish, resource: resourceAt(resource) }));

/** Everything goes on that was there, and says all that it has. */
async function rejoin(sequence: Sequence, step: Step): Promise<void> {
  for (const [key] of sequence.before) {
    const known = sequence.alive.map(({ before }) => before.get(key) ?? 0);
    sequence.before.set(key, Math.max(counted, ...known));
  }
  sequence.ended = [];
  for (const process of sequence.alive) {
    process.number = await sequence.join();
    await sequence.report(process, wishesOf(step), { isWhole: true });
  }
}

async function settle(sequence: Sequence, { process: index, size }: Step): Promise<void> {
  const { room, model } = sequence;
  const [real, gone] = [await room.authority().gone(), await model.gone()];
  const named = gone.map((one) => ({ ...one, holder: sequence.numbers.get(one.holder) }));
  const inOrder = (rows: readonly { readonly holder: number | undefined }[]) =>
    rows.toSorted((a, b) => (a.holder ?? 0) - (b.holder ?? 0));
  assert.deepEqual(inOrder(real), inOrder(named));
  const one = pick(gone, index);
  if (!one) return;
  const isIt = ({ number }: HonestProcess) => number === one.holder;
  const process = [...sequence.alive, ...sequence.ended].find(isIt);
  const lies = resources.map(({ kind, id }) => ({ kind, id, day, impressions: size, nanos: size }));
  const billed = sequence.isLying ? lies : (process?.billed(one.resolved.ad) ?? []);
  for (const key of sequence.before.keys()) {
    sequence.before.set(key, (sequence.before.get(key) ?? 0) + (process?.settled(key) ?? 0));
  }
  sequence.alive = sequence.alive.filter((other) => !isIt(other));
  sequence.ended = sequence.ended.filter((other) => !isIt(other));
  await sequence.both((authority, number) => authority.settle(number(one.holder), billed));
}

async function forget(sequence: Sequence): Promise<void> {
  await sequence.both((authority) => authority.forget(day + 1));
  for (const resource of resources.filter((one) => one.day === day)) {
    const key = keyOf(resource);
    for (const process of [...sequence.alive, ...sequence.ended]) process.drop(key);
    sequence.before.set(key, counted);
    sequence.made.delete(key);
  }
}

const byOne =
  (act: (process: HonestProcess, sequence: Sequence, step: Step) => unknown) =>
  async (sequence: Sequence, step: Step) => {
    const process = pick(sequence.alive, step.process);
    if (process) await act(process, sequence, step);
  };

const actions = {
  join: async (sequence: Sequence) => {
    if (sequence.alive.length < processesMax) sequence.alive.push(new HonestProcess(await sequence.join()));
  },
  report: byOne((process, sequence, step) => sequence.report(process, wishesOf(step), step)),
  repeat: async (sequence: Sequence, { size }: Step) => {
    const { lastReport } = sequence;
    if (lastReport) await sequence.send({ ...lastReport, turn: Math.max(0, lastReport.turn - (size % 2)) });
  },
  serve: byOne((process, { room }, step) => {
    for (const resource of resources) process.serve(resource, step.size, room.now());
  }),
  keep: (sequence: Sequence, { process: index, size }: Step) => {
    pick([...sequence.alive, ...sequence.ended], index)?.keep((promise) => (promise + size) % 3 === 0);
  },
  resolve: byOne((process, _, { size }) => {
    process.minute += 1;
    process.resolve(process.minute - (size % 3));
  }),
  pass: ({ room }: Sequence, { ms }: Step) => room.pass(ms),
  leave: byOne(async (process, sequence) => {
    if (!sequence.isLying) await sequence.report(process, [], { isWhole: true });
    if (!sequence.alive.includes(process)) return;
    await sequence.both((authority, number) => authority.leave(number(process.number)));
    process.end();
    sequence.alive = sequence.alive.filter((one) => one !== process);
    sequence.ended.push(process);
  }),
  crash: byOne((process, sequence) => {
    sequence.alive = sequence.alive.filter((one) => one !== process);
    sequence.ended.push(process);
  }),
  settle,
  settleAlive: byOne(async (process, sequence) => {
    const gone = await sequence.model.gone();
    if (gone.some(({ holder }) => holder === process.number)) return;
    await sequence.both((authority, number) => authority.settle(number(process.number), process.billed(0)));
  }),
  forget,
  restart: ({ room }: Sequence) => room.restart(),
  failOver: async (sequence: Sequence) => {
    await sequence.room.failOver();
    sequence.model.failOver();
    sequence.ended.push(new HonestProcess(await sequence.join()));
  },
  loseAll: async (sequence: Sequence, step: Step) => {
    sequence.room.pass(restartMs);
    await sequence.room.loseAll();
    sequence.model.loseAll();
    sequence.lastReport = undefined;
    sequence.made.clear();
    const first = new HonestProcess(await sequence.join());
    await rejoin(sequence, step);
    sequence.alive.push(first);
  },
} as const satisfies Readonly<Record<string, (sequence: Sequence, step: Step) => unknown>>;

/** Has random processes ask the authority and the model: the answers are the same, and every limit is kept. */
export async function checkRandomSequences(open: OpenRoom, runs: number): Promise<void> {
  const sequences = fc.array(step, { minLength: 60, maxLength: 160, size: 'max' });
  await fc.assert(
    fc.asyncProperty(sequences, fc.boolean(), async (steps, isLying) => {
      const room = await open();
      try {
        const sequence = new Sequence(room, isLying);
        for (const each of steps) {
          await actions[each.kind](sequence, each);
          sequence.assertKept();
        }
      } finally {
        await room.close();
      }
    }),
    { ...seeded(runs), endOnFailure: true },
  );
}
