import type { Job } from './load/job.ts';
import type { Tools } from './measure.ts';
import type { Figure, Row } from './row.ts';
import type { ServerProcess } from './servers/server-process.ts';
import { inTurn, median, type Request, type Speed, speedOf } from './speed.ts';

type Quantity = 'answersPerSecond' | 'bytesPerSecond';

/** A server to be measured, and what is sent to it. */
export interface Contestant {
  /** As the figures name it; Bourse unless it says otherwise. */
  readonly name?: string;
  readonly server: ServerProcess;
  readonly request: Request;
}

/** A server that Bourse is compared to. */
export interface Reference extends Contestant {
  readonly name: string;
  /** Share of its speed that Bourse must reach; absent = any. */
  readonly atLeast?: number | undefined;
  /** Share of its processor time that an answer of Bourse may take; absent = any. */
  readonly cpuAtMost?: number | undefined;
}

/** What is compared, and how long a turn lasts: by default answers, for the seconds that the bench is given. */
export interface CompareOptions {
  readonly by?: Quantity;
  readonly until?: Job['until'];
}

function shareOf(what: string, own: readonly number[], reference: readonly number[]): Figure {
  const shares = own.map((value, round) => value / (reference[round] ?? Number.NaN));
  return { what: `of ${what}`, value: median(shares), unit: 'share' };
}

/** A contestant's own speed: the median of its rounds. */
export function speedFigures(what: string, speeds: readonly Speed[], by: Quantity): Figure[] {
  const value = median(speeds.map((speed) => speed[by]));
  const cpu = median(speeds.map(({ cpuUs }) => cpuUs));
  return by === 'bytesPerSecond'
    ? [{ what, value: value / 1e6, unit: 'megabytesPerSecond' }]
    : [
        { what, value, unit: 'perSecond' },
        { what: 'with', value: cpu, unit: 'cpuMicrosecondsEach' },
      ];
}

/**
 * Measures Bourse and its references in turn. The row has Bourse's share of each reference's speed, the speeds, and the
 * shares by processor time of an answer, which other work on the machine disturbs least.
 */
export async function compare(
  { load, rounds, seconds }: Tools,
  title: string,
  bourse: Contestant,
  references: readonly Reference[],
  { by = 'answersPerSecond', until = { seconds } }: CompareOptions = {},
): Promise<Row> {
  const { name: ownName = 'bourse' } = bourse;
  const contestants = [...references, { ...bourse, name: ownName }];
  const runs = contestants.map(({ name, server, request }) => [
    name,
    () => speedOf(load, server, request, until),
  ]);
  const speeds = new Map(Object.entries(await inTurn<string, Speed>(Object.fromEntries(runs), rounds)));
  const of = (name: string) => speeds.get(name) ?? [];
  const values = (name: string, key: keyof Speed) => of(name).map((speed) => speed[key]);
  return {
    title,
    targets: references.map(({ name, atLeast, cpuAtMost }) =>
      cpuAtMost === undefined
        ? { ...shareOf(name, values(ownName, by), values(name, by)), atLeast }
        : {
            ...shareOf(`the CPU of ${name}`, values(ownName, 'cpuUs'), values(name, 'cpuUs')),
            atMost: cpuAtMost,
          },
    ),
    details: [
      ...[ownName, ...references.map(({ name }) => name)].flatMap((name) => speedFigures(name, of(name), by)),
      // The less processor time an answer takes, the better: the share is the other way round.
      ...references.map(({ name }) =>
        shareOf(`${name} by CPU`, values(name, 'cpuUs'), values(ownName, 'cpuUs')),
      ),
      ...references.map(({ name }): Figure => {
        return {
          what: `of a core for the load on ${name}`,
          value: median(values(name, 'loadCpuShare')),
          unit: 'share',
        };
      }),
    ],
  };
}
