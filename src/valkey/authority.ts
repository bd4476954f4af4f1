import { setTimeout as delay } from 'node:timers/promises';
import {
  type BilledSum,
  type HolderAnswer,
  type HolderReport,
  type LimitAuthority,
  type LimitReport,
  type Resource,
  UnknownHolder,
} from '../leases/authority.ts';
import { checkLevels } from '../leases/parts.ts';
import * as scripts from './authority-scripts.ts';
import { type ValkeyConnection, type ValkeyScript, valkeyPrefix } from './connection.ts';
import { ValkeyUnavailable } from './valkey-error.ts';

export interface ValkeyAuthorityOptions {
  readonly connection: Pick<ValkeyConnection, 'run'>;
  /** Tells its keys from those of others. */
  readonly installation: string;
  /** Absent = the server's own clock. */
  readonly now?: () => number;
}

/** The longest wait for a number: fifty are given per second. */
const joinMs = 10_000;

const objectOf = ({ kind, id }: Pick<Resource, 'kind' | 'id'>) => `${kind}:${id}`;

const rowOf = (limit: LimitReport) => {
  const { measure, day, line, before, counted, used, open, unused, wanted } = limit;
  const name = `${objectOf(limit)}:${measure}:${day}`;
  return [name, day, line, before, counted, used, open, unused, wanted];
};

const billedRow = (row: BilledSum) => [objectOf(row), row.day, row.impressions, row.nanos];

const grantsOf = (numbers: readonly number[], count: number): HolderAnswer['grants'] =>
  Array.from({ length: count }, (_, index) => {
    const [granted = 0, isContested, before = 0, excess = 0] = numbers.slice(index * 4, index * 4 + 4);
    return { granted, isContested: isContested === 1, before, excess };
  });

/**
 * On Valkey or Redis; each call is one step of one script. It notices lost data by the server's identity (process,
 * replication line) and by a step count that each process remembers.
 */
export function createValkeyAuthority(options: ValkeyAuthorityOptions): LimitAuthority {
  const { connection, installation, now = () => 0 } = options;
  const prefix = valkeyPrefix(installation, 'limits');
  let seen = 0;
  const run = async (script: ValkeyScript, ...words: readonly (string | number)[]) => {
    const all = [prefix, now(), ...words].map(String);
    return (await connection.run(script, [`${prefix}state`], all)) as readonly number[];
  };
  const see = (steps: number | undefined) => {
    seen = Math.max(seen, steps ?? 0);
  };
  return {
    async join() {
      for (const endMs = performance.now() + joinMs; performance.now() < endMs; ) {
        const [number = 0, steps = 0] = await run(scripts.join, seen);
        if (number > 0) {
          see(steps);
          return number;
        }
        await delay(Math.max(1, steps));
      }
      throw new ValkeyUnavailable('too many processes join at once; try again');
    },
    async report({ holder, turn, resolved, whole, limits }: HolderReport) {
      checkLevels(limits);
      const rows = JSON.stringify(limits.map(rowOf));
      const { from, to, epoch: before } = whole ?? { from: 0, to: 0, epoch: '' };
      const said = [seen, holder, turn, resolved.ad, resolved.offer, from, to, before, rows];
      const [became, steps, wantsWhole, holders = 0, epoch, ...numbers] = await run(scripts.report, ...said);
      see(steps);
      if (became === scripts.reported.unknown) throw new UnknownHolder('this holder is not known');
      if (became === scripts.reported.late) throw new Error('a later report has come');
      const grants = grantsOf(numbers, limits.length);
      return { grants, wantsWhole: wantsWhole === 1, holders, epoch: String(epoch) };
    },
    async leave(holder) {
      await run(scripts.leave, holder);
    },
    async gone() {
      const numbers = await run(scripts.gone);
      return Array.from({ length: numbers.length / 4 }, (_, index) => {
        const [holder = 0, ad = 0, offer = 0, lastMs = 0] = numbers.slice(index * 4, index * 4 + 4);
        return { holder, resolved: { ad, offer }, lastMs };
      });
    },
    async settle(holder, billed) {
      await run(scripts.settle, holder, JSON.stringify(billed.map(billedRow)));
    },
    async forget(beforeDay) {
      await run(scripts.forget, beforeDay);
    },
    close: () => Promise.resolve(),
  };
}
