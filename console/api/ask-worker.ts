import type { Fault } from '../../src/answers/failure.ts';
import { CallError } from './call.ts';

export interface WorkerQuestion<Question> {
  readonly number: number;
  readonly question: Question;
}

export type WorkerReply<Answer> = { readonly number: number } & (
  | { readonly answer: Answer }
  | { readonly status: number; readonly message: string; readonly faults: readonly Fault[] }
);

/** Asks a worker, which is opened by the first question, so that long work keeps nobody waiting. Rejects with `CallError`. */
export function createAsker<Question, Answer>(open: () => Worker): (question: Question) => Promise<Answer> {
  const waiting = new Map<number, (reply: WorkerReply<Answer>) => void>();
  let worker: Worker | undefined;
  let number = 0;
  const start = () => {
    const opened = open();
    opened.addEventListener('message', ({ data }: MessageEvent<WorkerReply<Answer>>) => {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    });
    opened.addEventListener('error', () => {
      const message = 'The browser could not do this; reload the page and try again.';
      for (const [own, settle] of waiting) settle({ number: own, status: 0, message, faults: [] });
      waiting.clear();
    });
    return opened;
  };
  return async (question) => {
    worker ??= start();
    number += 1;
    const { promise, resolve } = Promise.withResolvers<WorkerReply<Answer>>();
    waiting.set(number, resolve);
    worker.postMessage({ number, question } satisfies WorkerQuestion<Question>);
    const reply = await promise;
    if ('message' in reply) throw new CallError(reply.status, reply.message, reply.faults);
    return reply.answer;
  };
}
