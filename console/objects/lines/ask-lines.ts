import { queryOptions } from '@tanstack/react-query';
import { CallError, withQuery } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';
import type { Answers, Asked, LinesQuestion, Replied, TextSource } from './lines-question.ts';

type Settle = (reply: Replied) => void;

/** A worker that holds texts of a million lines, so that the page need not. */
function openWorker() {
  const worker = new Worker(new URL('./lines-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Settle>();
  worker.addEventListener('message', ({ data }: MessageEvent<Replied>) => {
    waiting.get(data.number)?.(data);
    waiting.delete(data.number);
  });
  worker.addEventListener('error', () => {
    const message = 'The lines could not be read in this browser; reload the page.';
    for (const [number, settle] of waiting) settle({ number, status: 0, message });
    waiting.clear();
  });
  let number = 0;
  return (question: Asked['question']) =>
    new Promise<Replied>((settle) => {
      number += 1;
      waiting.set(number, settle);
      worker.postMessage({ number, question } satisfies Asked);
    });
}

let ask: ReturnType<typeof openWorker> | undefined;

/** Asks the worker. Rejects with `CallError`. */
export async function askLines<K extends keyof Answers>(
  question: Extract<Asked['question'], { kind: K }>,
): Promise<Answers[K]> {
  ask ??= openWorker();
  const reply = await ask(question);
  if ('message' in reply) throw new CallError(reply.status, reply.message);
  return reply.answer as Answers[K];
}

/** The text of a list as `state` names it: as it is now under its tag, or as it was at a time. */
export function textSource(entity: ShownEntity, id: number, state: string, asOf?: string): TextSource {
  const path = withQuery(`api/${entity.path}/get`, { Id: id, AsOf: asOf });
  return { url: new URL(path, document.baseURI).href, state };
}

/** A page of a list's lines. */
export const linesQuery = (question: Omit<LinesQuestion, 'kind'>) =>
  queryOptions({
    queryKey: ['lines', question],
    queryFn: () => askLines<'lines'>({ kind: 'lines', ...question }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

/** All lines of a list, under its tag. */
export const wholeTextQuery = (entity: ShownEntity, id: number, tag: string) =>
  queryOptions({
    queryKey: ['lines', entity.key, id, tag],
    queryFn: () => askLines<'text'>({ kind: 'text', of: textSource(entity, id, tag) }),
    gcTime: 0,
  });
