import { addDspVastTags, addRelatedObjects } from './data/fill-exchange.ts';
import type { Bench, Exchange, Measure } from './measure.ts';
import { addPublisher, postgresAddPublisher } from './measures/add-publisher.ts';
import { arrayMemory } from './measures/array-memory.ts';
import { bookkeeping } from './measures/bookkeeping.ts';
import { getArray } from './measures/get-array.ts';
import { getOne, postgresGetOne } from './measures/get-one.ts';
import { residentMemory } from './measures/resident-memory.ts';
import { search } from './measures/search.ts';
import { start } from './measures/start.ts';
import { threads } from './measures/threads.ts';
import { largeUploads } from './measures/uploads.ts';
import { waitBehindArray } from './measures/wait-behind-array.ts';
import type { Options } from './options.ts';
import { runMeasures } from './run-measures.ts';
import { startBourse } from './servers/bourse.ts';

/** They run in this order. Resident memory comes after all work on the shared server; later ones start their own. */
const measures: readonly Measure[] = [
  start,
  getOne,
  getArray,
  waitBehindArray,
  search,
  addPublisher,
  arrayMemory,
  residentMemory,
  postgresGetOne,
  postgresAddPublisher,
  threads,
  largeUploads,
  bookkeeping,
];

const tags = 10_000;

/** As many threads as the references have; another measure shows what more threads do. */
const servingThreads = 1;

async function fillExchange(folder: string, { profile }: Options): Promise<Exchange> {
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const { server, api } = await startBourse(folder, { nodeOptions, threads: servingThreads });
  const related = await addRelatedObjects(api);
  return { server, api, related, tagIds: await addDspVastTags(api, related, tags) };
}

await runMeasures<Bench>({
  script: 'bench:management',
  measures,
  prepare(tools, options) {
    let exchange: Promise<Exchange> | undefined;
    return {
      ...tools,
      exchange() {
        exchange ??= fillExchange(tools.folder, options);
        return exchange;
      },
      [Symbol.asyncDispose]: async () => (await exchange)?.server[Symbol.asyncDispose](),
    };
  },
});
