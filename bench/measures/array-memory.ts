import { addDspVastTags } from '../data/fill-exchange.ts';
import type { Generator } from '../load/generator.ts';
import type { Exchange, Measure } from '../measure.ts';
import type { Figure } from '../row.ts';

const sampleEveryMs = 10;
const readsToWarmUp = 3;
const reads = 6;
const addedTags = 30_000;
/** Allowed for noise of the garbage collector; the text of the larger array is longer by twice this. */
const riseMegabytesMax = 20;

/** Resident memory before and at its highest during a number of reads, in MB. */
async function memoryDuring(load: Generator, { server, api }: Exchange) {
  const read = (answers: number) =>
    load.run({
      origin: server.url,
      paths: ['/api/ortb/dspvasttag/get'],
      method: 'GET',
      headers: api.headers,
      connections: 1,
      until: { answers },
    });
  await read(readsToWarmUp);
  const before = server.residentBytes();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, server.residentBytes());
  }, sampleEveryMs);
  const { bytes } = await read(reads);
  clearInterval(sampler);
  return { before: before / 1e6, peak: peak / 1e6, arrayBytes: bytes / reads / 1e6 };
}

const inMegabytes = (what: string, value: number): Figure => ({ what, value, unit: 'megabytes' });

/** Memory while arrays are read: of 10,000 objects, then of 40,000 in the same server. It has to rise equally. */
export const arrayMemory: Measure = {
  name: 'array-memory',
  run: async ({ exchange, load }) => {
    const bourse = await exchange();
    const small = await memoryDuring(load, bourse);
    await addDspVastTags(bourse.api, bourse.related, addedTags);
    const large = await memoryDuring(load, bourse);
    const rise = (memory: typeof small) => memory.peak - memory.before;
    return [
      {
        title: 'Memory while arrays are read',
        targets: [
          {
            ...inMegabytes('40,000 rise more than 10,000 by', rise(large) - rise(small)),
            atMost: riseMegabytesMax,
          },
        ],
        details: [
          inMegabytes('10,000: before', small.before),
          inMegabytes('peak', small.peak),
          inMegabytes('array', small.arrayBytes),
          inMegabytes('40,000: before', large.before),
          inMegabytes('peak', large.peak),
          inMegabytes('array', large.arrayBytes),
        ],
      },
    ];
  },
};
