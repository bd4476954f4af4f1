import type { WorkerQuestion, WorkerReply } from './ask-worker.ts';
import { CallError } from './call.ts';

/** Answers the questions that a worker is asked. */
export function answerQuestions<Question, Answer>(answerOf: (question: Question) => Promise<Answer>): void {
  const reply = async ({ number, question }: WorkerQuestion<Question>): Promise<WorkerReply<Answer>> => {
    try {
      return { number, answer: await answerOf(question) };
    } catch (error) {
      const { status, faults } = error instanceof CallError ? error : { status: 0, faults: [] };
      return { number, status, message: error instanceof Error ? error.message : String(error), faults };
    }
  };
  addEventListener('message', async ({ data }: MessageEvent<WorkerQuestion<Question>>) => {
    postMessage(await reply(data));
  });
}
