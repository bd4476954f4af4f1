import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createSemaphore } from './semaphore.ts';
import type { WorkerAnswer, WorkerQuery } from './sqlite-query-thread.ts';

type Rows = readonly (readonly (string | number)[])[];

/** Built or source. */
const threadUrl = new URL(
  `./sqlite-query-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** In a thread of their own. */
export interface QueryWorker {
  ask(text: string, values: readonly unknown[]): AsyncIterable<Rows>;
  close(): Promise<void>;
}

/** One after the other. The thread starts with the first; each query sees the file as it began. */
export function createQueryWorker(path: string): QueryWorker {
  let worker: Worker | undefined;
  const enter = createSemaphore(1);
  const begin = (): Worker => {
    const fresh = new Worker(threadUrl, { workerData: { path }, name: 'bourse-reports' });
    fresh.unref();
    fresh.on('exit', () => {
      if (worker === fresh) worker = undefined;
    });
    // Whoever waits for an answer gets the error.
    fresh.on('error', () => undefined);
    return fresh;
  };
  const next = async (from: Worker): Promise<WorkerAnswer> => {
    const ended = new AbortController();
    try {
      const [answer] = await Promise.race([
        once(from, 'message', { signal: ended.signal }),
        once(from, 'exit', { signal: ended.signal }).then(() => {
          throw new Error('the thread of long queries has ended');
        }),
      ]);
      return answer;
    } finally {
      ended.abort();
    }
  };
  async function* run(query: WorkerQuery): AsyncGenerator<Rows> {
    worker ??= begin();
    const own = worker;
    const send = (message: WorkerQuery | 'more') => {
      own.postMessage(message);
      const answer = next(own);
      // Who reads on gets the error.
      answer.catch(() => undefined);
      return answer;
    };
    for (let coming = send(query); ; ) {
      const answer = await coming;
      if ('error' in answer) throw new Error(answer.error);
      if ('isLast' in answer) return;
      // The next rows are made while these are read.
      coming = send('more');
      yield answer.rows;
    }
  }
  return {
    async *ask(text, values) {
      const leave = await enter();
      let isDone = false;
      try {
        yield* run({ text, values: [...values] as WorkerQuery['values'] });
        isDone = true;
      } finally {
        // The rest of an unfinished answer must not reach the next query.
        if (!isDone) await worker?.terminate();
        leave();
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
