import { startHistoryWork } from '../data/history-work.ts';
import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import type { Figure, Row } from '../row.ts';
import type { BourseServer } from '../servers/bourse.ts';
import { startWired } from '../servers/references.ts';
import { inTurn, median, type Request, type Speed, speedOf } from '../speed.ts';

const transactions = 300;
const shareMax = 0.15;

const cpu = (speeds: readonly Speed[]) => median(speeds.map(({ cpuUs }) => cpuUs));
const inMicroseconds = (what: string, value: number): Figure => ({ what, value, unit: 'microseconds' });

/** What so many microseconds of an answer are of the rest of it. */
function costRow(title: string, wholeUs: number, parts: Readonly<Record<string, number>>): Row {
  const partsUs = Object.values(parts).reduce((sum, value) => sum + value, 0);
  const value = partsUs / (wholeUs - partsUs);
  return {
    title,
    judged: [{ what: 'of the answer without', value, unit: 'share', atMost: shareMax }],
    beside: [
      inMicroseconds('whole', wholeUs),
      ...Object.entries(parts).map(([what, us]) => inMicroseconds(what, us)),
    ],
  };
}

/** Processor time of what the history adds to a transaction of one add. */
async function historyUs({ folder, rounds }: Bench): Promise<number> {
  await using work = await startHistoryWork(folder);
  const { without, whole } = await inTurn(
    { without: () => work.cpuUs(transactions, false), whole: () => work.cpuUs(transactions, true) },
    rounds,
  );
  return median(whole.map((us, round) => us - (without[round] ?? Number.NaN)));
}

const get: Request = { paths: ['/api/publisher/get?Id=1'], method: 'GET', headers: {}, connections: 10 };
const add: Request = {
  paths: ['/api/publisher/add'],
  method: 'POST',
  headers: {},
  body: JSON.stringify({ Publisher: publisher('[<id>]') }),
  connections: 10,
};
const repeatable: Request = { ...add, headers: { 'idempotency-key': '[<id>]' } };

function speedsOn({ load, seconds }: Bench) {
  return ({ server, api }: BourseServer, request: Request) =>
    speedOf(load, server, { ...request, headers: { ...request.headers, ...api.headers } }, { seconds });
}

/** What an Idempotency-Key, the history and the metrics cost, by processor time; see docs/performance.md. */
export const bookkeeping: Measure = {
  name: 'bookkeeping',
  run: async (bench) => {
    const whole = await startWired(bench.folder, { metrics: true });
    const bare = await startWired(bench.folder, { metrics: false });
    await using _whole = whole.server;
    await using _bare = bare.server;
    for (const { api } of [whole, bare]) await api.add('publisher', 'Publisher', publisher('first'));
    const speed = speedsOn(bench);
    const speeds = await inTurn(
      {
        get: () => speed(whole, get),
        bareGet: () => speed(bare, get),
        add: () => speed(whole, add),
        repeatable: () => speed(whole, repeatable),
      },
      bench.rounds,
    );
    // A request is counted in the same way whatever it does.
    const metrics = cpu(speeds.get) - cpu(speeds.bareGet);
    const idempotency = cpu(speeds.repeatable) - cpu(speeds.add);
    const history = await historyUs(bench);
    return [
      costRow('Metrics in GET one publisher', cpu(speeds.get), { metrics }),
      costRow('Metrics, history, key in POST add', cpu(speeds.repeatable), { metrics, history, idempotency }),
    ];
  },
};
