import { parentPort, workerData } from 'node:worker_threads';
import { createLimits } from '../../../src/exchange/limits/create-limits.ts';
import { isRefusal } from '../../../src/exchange/reasons.ts';
import { auctionAt, limited, promisedBy } from './limited.ts';

const { memory, addresses, timeMs, tries } = workerData;
const limits = createLimits(memory, () => 0);
const perIp = limited({ impressionsPerIp: 3 }, 1);
const budget = limited({ amountDailyNanos: 500_000 }, 2);

const ofAddress: number[] = Array(addresses).fill(0);
let nanos = 0;
for (let index = 0; index < tries; index += 1) {
  const number = index % addresses;
  const ip = { text: '', version: 4, bytes: Uint8Array.from([10, 0, number >> 8, number & 255]) } as const;
  const toAddress = limits.reserve(perIp, auctionAt(timeMs, 'ad', ip), 0);
  if (toAddress && !isRefusal(toAddress)) ofAddress[number] = (ofAddress[number] ?? 0) + 1;
  const price = 10 + (index % 7);
  const auction = auctionAt(timeMs, index % 2 === 0 ? 'ad' : 'offer');
  const promised = limits.reserve(budget, auction, price);
  if (!promised || isRefusal(promised)) continue;
  // Some are withdrawn, and some are booked.
  if (index % 3 === 0) {
    limits.release(promisedBy(budget, price), auction);
    continue;
  }
  if (index % 3 === 1) limits.commit(budget, promised, { auction, nanos: price, nowMs: timeMs });
  nanos += price;
}
parentPort?.postMessage({ nanos, ofAddress });
