import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type LimitAuthority, type LimitReport, UnknownHolder } from '../../src/leases/authority.ts';
import { placesEnd } from '../../src/leases/parts.ts';
import { cases, type Saying, type Step, standard } from './authority-cases.ts';
import { endingCases } from './authority-endings.ts';
import { checkRandomSequences } from './random-sequences.ts';

/** An authority under test, and what befalls it. */
export interface AuthorityRoom {
  /** After a restart another one than before. */
  authority(): LimitAuthority;
  /** The clock of its tests, in milliseconds since 1970. */
  now(): number;
  pass(ms: number): void;
  /** It, and the server that it is on, starts again: nothing is lost. */
  restart(): Promise<void>;
  /** Another server goes on with what this one knew: a new epoch. The next call is a `join` or a `report`. */
  failOver(): Promise<void>;
  /** It was away for `restartMs`, is there again, and knows nothing. The next call is a `join`. */
  loseAll(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a room with an authority that nobody has used, past any time in which it grants nothing. */
export type OpenRoom = () => Promise<AuthorityRoom>;

const everything: Exclude<Saying['isWhole'], boolean | undefined> = { from: 0, to: placesEnd };
const nothing: typeof everything = { from: 0, to: 0 };

/** Runs one case in a room of its own. */
class Play {
  readonly room: AuthorityRoom;
  readonly numbers = new Map<string, number>();
  readonly given = new Set<number>();
  readonly epochs = new Map<string, string>();
  turn = 0;

  constructor(room: AuthorityRoom) {
    this.room = room;
  }

  number(name: string): number {
    return this.numbers.get(name) ?? assert.fail(`${name} has not joined`);
  }

  async join(name: string): Promise<void> {
    const number = await this.room.authority().join();
    assert.ok(
      Number.isInteger(number) && number >= 1 && number < 2 ** 31,
      `${number} is no number of a holder`,
    );
    assert.ok(!this.given.has(number), `${number} was given before`);
    this.given.add(number);
    this.numbers.set(name, number);
  }

  async report(name: string, said: readonly Partial<LimitReport>[], saying: Saying = {}): Promise<void> {
    this.turn += 1;
    const {
      turn = this.turn,
      isWhole = false,
      resolved = { ad: 0, offer: 0 },
      fails,
      grants,
      ...rest
    } = saying;
    const limits = said.map((limit) => ({ ...standard, ...limit }));
    const { follows = false, ...part } = isWhole === true ? everything : isWhole || nothing;
    const whole = { ...part, epoch: follows ? (this.epochs.get(name) ?? '') : '' };
    const reported = this.room
      .authority()
      .report({ holder: this.number(name), turn, whole: isWhole ? whole : undefined, resolved, limits });
    if (fails !== undefined) {
      const isRight = (error: unknown) =>
        error instanceof Error && error instanceof UnknownHolder === (fails === 'unknown');
      return assert.rejects(reported, isRight);
    }
    const answer = await reported;
    this.epochs.set(name, answer.epoch);
    assert.equal(answer.grants.length, limits.length);
    const expected = grants?.map((grant) => (typeof grant === 'number' ? { granted: grant } : grant));
    for (const [index, grant] of (expected ?? []).entries()) {
      assert.partialDeepStrictEqual(answer.grants[index], grant, `limit ${index}`);
    }
    assert.partialDeepStrictEqual(answer, rest);
  }

  async gone(
    ...expected: Extract<Step, readonly ['gone', ...unknown[]]> extends readonly ['gone', ...infer R]
      ? R
      : never
  ) {
    const gone = await this.room.authority().gone();
    const names = new Map([...this.numbers].map(([name, number]) => [number, name]));
    assert.deepEqual(
      gone.map(({ holder }) => names.get(holder)),
      expected.map(([name]) => name),
    );
    for (const [index, [, lastAgoMs, resolved]] of expected.entries()) {
      if (lastAgoMs !== undefined) assert.equal(gone[index]?.lastMs, this.room.now() - lastAgoMs);
      if (resolved) assert.deepEqual(gone[index]?.resolved, resolved);
    }
  }

  async step([what, ...of]: Step): Promise<void> {
    const { room } = this;
    const steps: Record<Step[0], (...of: never) => Promise<void> | void> = {
      join: (name: string) => this.join(name),
      report: (...of: Parameters<Play['report']>) => this.report(...of),
      leave: (name: string) => room.authority().leave(this.number(name)),
      settle: (name: string, billed = []) => room.authority().settle(this.number(name), billed),
      gone: (...of: Parameters<Play['gone']>) => this.gone(...of),
      forget: (beforeDay: number) => room.authority().forget(beforeDay),
      pass: (ms: number) => room.pass(ms),
      restart: () => room.restart(),
      failOver: () => room.failOver(),
      loseAll: () => room.loseAll(),
    };
    await steps[what](...(of as never[] as never));
  }
}

/** Everything that an authority promises, on one implementation; `runs` random sequences. */
export function authorityContract(name: string, open: OpenRoom, runs: number): void {
  describe(name, () => {
    for (const { name: promise, steps } of [...cases, ...endingCases]) {
      test(promise, async () => {
        const room = await open();
        try {
          const play = new Play(room);
          for (const [index, step] of steps.entries()) {
            try {
              await play.step(step);
            } catch (error) {
              if (error instanceof Error)
                error.message = `step ${index}, ${JSON.stringify(step)}: ${error.message}`;
              throw error;
            }
          }
        } finally {
          await room.close();
        }
      });
    }

    test('names at most 100 that are gone', async () => {
      const room = await open();
      try {
        const numbers: number[] = [];
        for (let count = 0; count < 101; count += 1) numbers.push(await room.authority().join());
        for (const number of numbers) await room.authority().leave(number);
        assert.equal((await room.authority().gone()).length, 100);
        await room.authority().settle(numbers[0] ?? 0, []);
        assert.equal((await room.authority().gone()).length, 100);
        await room.authority().settle(numbers[1] ?? 0, []);
        assert.equal((await room.authority().gone()).length, 99);
      } finally {
        await room.close();
      }
    });

    test('answers random sequences as the model does, and keeps every limit', () =>
      checkRandomSequences(open, runs));
  });
}
