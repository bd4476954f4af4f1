import { createWorker } from '../../src/jobs/worker.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';

/** A process of its own that claims the jobs of a kind in a database, says which, and never ends them. */
const [url = '', name = '', nowMs = ''] = process.argv.slice(2);
const { jobs } = await openConfiguredStore(url);
const run = (job: { readonly key: string }): Promise<undefined> => {
  console.log(job.key);
  return new Promise(() => undefined);
};
const kind = { name, lanes: 2, claimMs: 60_000, run };
await createWorker([kind], {
  jobs,
  now: () => Number(nowMs),
  onFault: (fault) => console.error(fault),
}).run();
