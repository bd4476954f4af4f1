import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Agent, type Dispatcher } from 'undici';
import type { OutboundRequest } from '../src/exchange/demand/demand-kind.ts';
import { dspRtbEp } from '../src/exchange/demand/dsp-rtb-ep/dsp-rtb-ep.ts';
import { createOutbound } from '../src/exchange/demand/outbound/create-outbound.ts';
import { demandWith, solicitationWith } from '../test/exchange/demand/dsp-rtb-ep/solicitations.ts';
import { inTurn, median } from './speed.ts';

/* Calls through Outbound against undici alone; and bid requests of one auction against as many auctions of one. */

const concurrency = 32;
const callsPerRound = 10_000;
const rounds = 8;
const ratioMax = 0.5;
const endpoints = 20;
const auctions = 1_000;

const answer = JSON.stringify({
  id: 'auction-1',
  seatbid: [{ bid: [{ id: 'b', impid: '1', price: 2, adm: 'x'.repeat(1_500) }] }],
});

function serve(): void {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

/** Processor microseconds of this thread for a call, with many under way at once. */
async function microsPerCall(call: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  let left = callsPerRound;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / callsPerRound;
}

/** The least that undici does for a call: `dispatch`, and the parts of the body put together. */
function dispatchedBy(agent: Agent, options: Dispatcher.DispatchOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    agent.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_, part) => void parts.push(part),
      onResponseEnd: () => resolve(Buffer.concat(parts).toString()),
      onResponseError: (_, error) => reject(error),
    });
  });
}

async function compareCalls(port: number): Promise<void> {
  const outbound = createOutbound({ allowPrivate: true });
  const agent = new Agent({ connections: 512 });
  const origin = `http://127.0.0.1:${port}`;
  const built = dspRtbEp.build(demandWith({ ZoneUrlUsEast: `${origin}/bid` }), solicitationWith());
  if (built === undefined || 'reason' in built) throw new Error('no request');
  const sent: OutboundRequest = built;
  const { headers, body = '' } = sent;
  const ours = async () => {
    const result = await outbound.call('DspRtbEp:1', sent, 5_000);
    if ('reason' in result) throw new Error(result.reason);
  };
  const micros = await inTurn(
    {
      undici: () =>
        microsPerCall(() => dispatchedBy(agent, { origin, path: '/bid', method: 'POST', headers, body })),
      ours: () => microsPerCall(ours),
    },
    rounds,
  );
  const ratios = micros.ours.map((our, round) => our / (micros.undici[round] ?? Number.NaN));
  const of = (name: keyof typeof micros) => median(micros[name]).toFixed(1);
  console.log(
    `µs of the processor for a call: Outbound ${of('ours')}, undici ${of('undici')}, ratio ${median(ratios).toFixed(2)} (to reach: ${ratioMax})`,
  );
  await outbound.close();
  await agent.close();
}

/** Microseconds to make one bid request, in auctions that ask `asked` endpoints. */
function microsPerRequest(asked: number, document: object): number {
  const demand = Array.from({ length: asked }, () => demandWith({ ...document }));
  const total = (auctions * endpoints) / asked;
  const startMs = performance.now();
  for (let times = 0; times < total; times += 1) {
    const solicitation = solicitationWith();
    for (const one of demand) dspRtbEp.build(one, solicitation);
  }
  return ((performance.now() - startMs) * 1_000) / (auctions * endpoints);
}

function compareBuilding(): void {
  const kinds: readonly (readonly [name: string, document: object])[] = [
    ['plain', {}],
    ['gzip', { Gzip: 1 }],
    ['CustomParams', { CustomParams: { 'imp.tagid': 'home' } }],
  ];
  for (const [name, document] of kinds) {
    microsPerRequest(1, document);
    const alone = microsPerRequest(1, document);
    const shared = microsPerRequest(endpoints, document);
    console.log(`µs a request, ${name}: ${alone.toFixed(1)} alone, ${shared.toFixed(1)} of ${endpoints}`);
  }
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  await compareCalls(port);
  await worker.terminate();
  compareBuilding();
} else {
  serve();
}
