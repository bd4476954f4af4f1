import autocannon from 'autocannon';
import { atRate } from './at-rate.ts';
import type { Job, Outcome, Reply } from './job.ts';

/** The load generator's own process: takes jobs from the bench one at a time, and answers their outcomes. */
const finishWithinMs = 50;

function options({ origin, paths, method, headers, body, connections, until }: Job): autocannon.Options {
  return {
    url: origin,
    requests: paths.map((path) => ({ path })),
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body, idReplacement: true }),
    connections,
    timeout: 60,
    sampleInt: finishWithinMs,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.answers }),
  };
}

async function asManyAsAnswered(job: Job): Promise<Outcome> {
  const waitsMs: number[] = [];
  let bytes = 0;
  const startMs = performance.now();
  const cpuStart = process.cpuUsage();
  let lastMs = startMs;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options(job), (error, done) => (error ? reject(error) : resolve(done)));
    instance.on('response', (_client, _status, size, waitMs) => {
      lastMs = performance.now();
      waitsMs.push(waitMs);
      bytes += size;
    });
  });
  const { user, system } = process.cpuUsage(cpuStart);
  return {
    answers: waitsMs.length,
    seconds: (lastMs - startMs) / 1000,
    failures: result.non2xx + result.errors,
    bytes,
    waitsMs,
    loadCpuShare: (user + system) / 1000 / (performance.now() - startMs),
  };
}

function answer(reply: Reply): void {
  process.send?.(reply);
}

process.on('message', (job: Job) => {
  const run = job.perSecond === undefined ? asManyAsAnswered(job) : atRate(job, job.perSecond);
  run.then(
    (outcome) => answer({ outcome }),
    (error) => answer({ fault: String(error) }),
  );
});
