import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { OutboundAnswer } from '../src/exchange/demand/demand-kind.ts';
import { createOutbound } from '../src/exchange/demand/outbound/create-outbound.ts';
import type { Refusal } from '../src/exchange/reasons.ts';
import { compareReaders } from '../test/exchange/demand/outbound/bid-client/differential.ts';
import { compareOverSockets } from '../test/exchange/demand/outbound/bid-client/over-sockets.ts';
import { readByLlhttp, readByNode } from '../test/exchange/demand/outbound/bid-client/read-by-others.ts';
import { startSoakPartner } from '../test/exchange/demand/outbound/bid-client/soak-partner.ts';

/* The long runs of the client for bid calls, which `npm test` has in short: `npm run test:bid-client -- --help`. */

const help = `Usage: npm run test:bid-client -- [--cases <n>] [--connections <n>] [--minutes <n>] [--seed <n>]
  --cases        answers drawn, and read by us and by llhttp; a thousandth by node:http, and over sockets by undici
  --connections  as many calls at once, each on a connection of its own, three times
  --minutes      calls, for so long, to a partner that resets, stalls, and says what is no answer
  --seed         of what is drawn; printed, and another in each run`;

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    cases: number,
    connections: number,
    minutes: number,
    seed: number,
    serve: number,
    help: { type: 'boolean' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
const megabytes = () => `${Math.round(process.memoryUsage.rss() / 1_048_576)} MB`;
const standardLot = 1_000_000;

async function compare(cases: number): Promise<void> {
  for (let done = 0; done < cases; done += standardLot) {
    const compared = await compareReaders(readByLlhttp, seed + done, Math.min(standardLot, cases - done));
    console.log(`llhttp, from seed ${seed + done}: ${JSON.stringify(compared)}, ${megabytes()}`);
  }
  const few = Math.ceil(cases / 1_000);
  console.log(`node:http: ${JSON.stringify(await compareReaders(readByNode, seed, few))}`);
  console.log(`undici, over sockets: ${await compareOverSockets(seed, few)} of ${few} answered by both`);
}

/** Serves, in a process of its own, as a partner that answers when all calls are there, each on its connection. */
function serveWhole(count: number): void {
  let waiting: (() => void)[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    waiting.push(() => response.end('ok'));
    if (waiting.length < count) return;
    for (const answer of waiting) answer();
    waiting = [];
  });
  const listening = { port: 0, host: '127.0.0.1', backlog: 4_096 };
  server.listen(listening, () => process.send?.((server.address() as AddressInfo).port));
}

const callsPerOrigin = 500;
const lotMs = 100;

async function connect(count: number): Promise<void> {
  const partner = fork(fileURLToPath(import.meta.url), ['--serve', String(count)]);
  const [port] = await once(partner, 'message');
  const outbound = createOutbound({
    allowPrivate: true,
    resolve: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  for (let round = 0; round < 3; round += 1) {
    const startMs = performance.now();
    const calls: Promise<OutboundAnswer | Refusal>[] = [];
    for (let n = 0; n < count; n += 1) {
      const url = `http://dsp${Math.floor(n / callsPerOrigin)}.example:${port}/`;
      calls.push(outbound.call(`D:${n}`, { method: 'POST', url, headers: {}, body: '{}' }, 120_000));
      // More at once than the kernel queues would be lost, and connected only after a second or three.
      if (n % callsPerOrigin === 0) await setTimeoutPromise(lotMs);
    }
    const results = await Promise.all(calls);
    const answered = results.filter((result) => 'status' in result && result.body === 'ok').length;
    const tookMs = Math.round(performance.now() - startMs);
    console.log(`connections: ${answered} of ${count} answered at once in ${tookMs} ms, ${megabytes()}`);
    if (answered !== count) throw new Error(JSON.stringify(results.find((result) => 'reason' in result)));
  }
  await outbound.close();
  partner.kill();
}

const lanes = 64;
const deadlineMs = 200;

async function soak(minutes: number): Promise<void> {
  await using partner = await startSoakPartner(seed);
  const outbound = createOutbound({ allowPrivate: true, breaker: { failuresMin: Number.POSITIVE_INFINITY } });
  const endMs = performance.now() + minutes * 60_000;
  const outcomes = new Map<string, number>();
  let wrong = 0;
  const lane = async (name: number) => {
    for (let nth = 0; performance.now() < endMs; nth += 1) {
      const path = `/${name}/${nth}`;
      const request = { method: 'POST', url: partner.origin + path, headers: {}, body: path } as const;
      const result = await outbound.call('D:1', request, deadlineMs, () => true);
      const outcome = 'status' in result ? 'answered' : result.reason;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if ('status' in result && result.body !== path) wrong += 1;
    }
  };
  const told = setInterval(
    () =>
      console.log(`soak: ${JSON.stringify(Object.fromEntries(outcomes))}, ${wrong} wrong, ${megabytes()}`),
    Math.min(60_000, minutes * 20_000),
  );
  await Promise.all(Array.from({ length: lanes }, (_, name) => lane(name)));
  clearInterval(told);
  console.log(`soak: ${JSON.stringify(Object.fromEntries(outcomes))}, ${wrong} wrong, ${megabytes()}`);
  await outbound.close();
  if (wrong > 0) throw new Error(`${wrong} answers of other requests`);
}

if (values.help) console.log(help);
else if (values.serve !== undefined) serveWhole(Number(values.serve));
else {
  console.log(`seed ${seed}`);
  if (values.cases !== undefined) await compare(Number(values.cases));
  if (values.connections !== undefined) await connect(Number(values.connections));
  if (values.minutes !== undefined) await soak(Number(values.minutes));
}
