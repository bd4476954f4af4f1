import { readBidRequest } from '../src/protocols/openrtb/read-bid-request.ts';
import { examples } from '../test/exchange/rtb-examples.ts';

/**
 * How long it takes to parse and check a bid request of about 1.5 KB, beside `JSON.parse` of the same text alone
 * (issue "All doors open", "Speed"). `node bench/open-rtb-read.ts`
 */
const bytesWanted = 1500;
const rounds = 20_000;

/** An example with its first impression several times, filled up with an extension to be exactly of the size. */
function requestBytes(): Buffer {
  const request = examples.find(({ name }) => name.startsWith('a video with'))?.request ?? {};
  const [imp] = request.imp as readonly object[];
  const withImps = (count: number, filler: string) => {
    const imps = Array.from({ length: count }, (_, id) => ({ ...imp, id: String(id) }));
    return JSON.stringify({ ...request, imp: imps, ext: { filler } });
  };
  let count = 1;
  while (withImps(count + 1, '').length < bytesWanted) count += 1;
  return Buffer.from(withImps(count, 'x'.repeat(bytesWanted - withImps(count, '').length)));
}

/** Processor time of this thread; the best of several rounds, so that what else the machine does counts little. */
function microsecondsOf(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 9; repeat += 1) {
    const start = process.threadCpuUsage();
    for (let round = 0; round < rounds; round += 1) run();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / rounds);
  }
  return best;
}

const body = requestBytes();
if ('fault' in readBidRequest(body)) throw new Error('the example is no bid request');
const parseUs = microsecondsOf(() => JSON.parse(body.toString()));
const readUs = microsecondsOf(() => readBidRequest(body));
console.log('bytes  parse µs  read µs  ratio');
const cells = [body.length, parseUs.toFixed(2), readUs.toFixed(2), (readUs / parseUs).toFixed(2)];
console.log(cells.map((cell, index) => String(cell).padStart([5, 8, 7, 5][index] ?? 0)).join('  '));
