import { publisher } from '../data/publisher.ts';
import type { Bench, Measure } from '../measure.ts';
import { type Figure, type Row, speedFigures } from '../row.ts';
import type { BourseServer } from '../servers/bourse.ts';
import { startWired } from '../servers/references.ts';
import { inTurn, median, type Request, type Speed, speedOf } from '../speed.ts';

const bound = { atMost: 0.15 };

type Speeds = readonly Speed[];

const fewerAnswers = (costly: Speed, cheap: Speed) => 1 - costly.answersPerSecond / cheap.answersPerSecond;
const moreCpu = (costly: Speed, cheap: Speed) => costly.cpuUs / cheap.cpuUs - 1;

/** What bookkeeping costs: of the answers per second and of the processor time without it; of each round, then the median. */
function costRow(title: string, costly: Speeds, cheap: Speeds, bound: Pick<Figure, 'atMost'> = {}): Row {
  const share = (what: string, cost: typeof moreCpu): Figure => {
    const shares = costly.map((speed, round) => cost(speed, cheap[round] ?? speed));
    return { what, value: median(shares), unit: 'share', ...bound };
  };
  return {
    title,
    judged: [share('fewer answers', fewerAnswers), share('more processor time', moreCpu)],
    beside: [
      ...speedFigures('with', costly, 'answersPerSecond'),
      ...speedFigures('without', cheap, 'answersPerSecond'),
    ],
  };
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

/** What an Idempotency-Key, the history and the metrics cost; see docs/performance.md. */
export const bookkeeping: Measure = {
  name: 'bookkeeping',
  run: async (bench) => {
    const whole = await startWired(bench.folder, { bookkeeping: true });
    const bare = await startWired(bench.folder, { bookkeeping: false });
    await using _whole = whole.server;
    await using _bare = bare.server;
    for (const { api } of [whole, bare]) await api.add('publisher', 'Publisher', publisher('first'));
    const speed = speedsOn(bench);
    const speeds = await inTurn(
      {
        get: () => speed(whole, get),
        bareGet: () => speed(bare, get),
        repeatable: () => speed(whole, repeatable),
        bareAdd: () => speed(bare, add),
        add: () => speed(whole, add),
      },
      bench.rounds,
    );
    return [
      costRow('Metrics in GET one publisher', speeds.get, speeds.bareGet, bound),
      costRow('Metrics, history, key in POST add', speeds.repeatable, speeds.bareAdd, bound),
      costRow('Metrics and history of these', speeds.add, speeds.bareAdd),
      costRow('Key of these', speeds.repeatable, speeds.add),
    ];
  },
};
