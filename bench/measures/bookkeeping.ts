import { speedFigures } from '../compare.ts';
import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import type { BourseServer } from '../servers/bourse.ts';
import { startWired } from '../servers/references.ts';
import { inTurn, median, type Request, type Speed, speedOf } from '../speed.ts';

/** See docs/performance.md. */
const boundWithoutKey = { atMost: 0.15 };
const boundWithKey = { atMost: 0.4 };

type Speeds = readonly Speed[];

const fewerAnswers = (costly: Speed, cheap: Speed) => 1 - costly.answersPerSecond / cheap.answersPerSecond;
const moreCpu = (costly: Speed, cheap: Speed) => costly.cpuUs / cheap.cpuUs - 1;

function costRow(title: string, costly: Speeds, cheap: Speeds, bound: Pick<Figure, 'atMost'> = {}): Row {
  const share = (what: string, cost: typeof moreCpu): Figure => {
    const shares = costly.map((speed, round) => cost(speed, cheap[round] ?? speed));
    return { what, value: median(shares), unit: 'share', ...bound };
  };
  return {
    title,
    targets: [share('fewer answers', fewerAnswers), share('more processor time', moreCpu)],
    details: [
      ...speedFigures('with', costly, 'answersPerSecond'),
      ...speedFigures('without', cheap, 'answersPerSecond'),
    ],
  };
}

const path = '/api/publisher';
const get: Request = { paths: [`${path}/get?Id=1`], method: 'GET', headers: {}, connections: 10 };
const body = JSON.stringify({ Publisher: publisher('[<id>]') });
/** Requests at a time, as in the measure of adds. */
const adders = [1, 10, 64] as const;

interface Pair {
  readonly whole: BourseServer;
  readonly bare: BourseServer;
}

function speedsOn({ load, seconds }: Bench) {
  return ({ server, api }: BourseServer, request: Request) =>
    speedOf(load, server, { ...request, headers: { ...request.headers, ...api.headers } }, { seconds });
}

async function rowOfReading(bench: Bench, { whole, bare }: Pair): Promise<Row> {
  const speed = speedsOn(bench);
  const speeds = await inTurn({ get: () => speed(whole, get), bare: () => speed(bare, get) }, bench.rounds);
  return costRow('Metrics in GET one publisher', speeds.get, speeds.bare, boundWithoutKey);
}

async function rowsOfAdding(bench: Bench, { whole, bare }: Pair, connections: number): Promise<Row[]> {
  const speed = speedsOn(bench);
  const add: Request = { paths: [`${path}/add`], method: 'POST', headers: {}, body, connections };
  const repeatable: Request = { ...add, headers: { 'idempotency-key': '[<id>]' } };
  const speeds = await inTurn(
    {
      repeatable: () => speed(whole, repeatable),
      bare: () => speed(bare, add),
      add: () => speed(whole, add),
    },
    bench.rounds,
  );
  const at = `${connections} at a time`;
  return [
    costRow(`Metrics, history, key in an add, ${at}`, speeds.repeatable, speeds.bare, boundWithKey),
    costRow(`Metrics and history of these, ${at}`, speeds.add, speeds.bare, boundWithoutKey),
    costRow(`Key of these, ${at}`, speeds.repeatable, speeds.add),
  ];
}

/** What an Idempotency-Key, the history and the metrics cost; see docs/performance.md. */
export const bookkeeping: Measure = {
  name: 'bookkeeping',
  run: async (bench) => {
    const whole = await startWired(bench.folder, { bookkeeping: true });
    const bare = await startWired(bench.folder, { bookkeeping: false });
    await using _whole = whole.server;
    await using _bare = bare.server;
    const pair = { whole, bare };
    for (const { api } of [whole, bare]) await api.add('publisher', 'Publisher', publisher('first'));
    const rows = [await rowOfReading(bench, pair)];
    for (const connections of adders) rows.push(...(await rowsOfAdding(bench, pair, connections)));
    return rows;
  },
};
