import { queryOptions } from '@tanstack/react-query';
import { createAsker } from '../../api/ask-worker.ts';
import type { ShownEntity } from '../../field-tables.ts';
import type { Answers, AnyQuestion, LinesQuestion, TextSource } from './lines-question.ts';

/** Holds texts of a million lines, so that the page need not. */
const ask = createAsker<AnyQuestion, Answers[keyof Answers]>(
  () => new Worker(new URL('./lines-worker.ts', import.meta.url), { type: 'module' }),
);

/** Asks about the lines of a list. Rejects with `CallError`. */
export const askLines = async <K extends keyof Answers>(question: Extract<AnyQuestion, { kind: K }>) =>
  (await ask(question)) as Answers[K];

/** The text of a list as `state` names it: as it is now under its tag, or as it was at a time. */
export function textSource(entity: ShownEntity, id: number, state: string, asOf?: string): TextSource {
  const request = { path: `api/${entity.path}/get`, query: { Id: id, AsOf: asOf } } as const;
  return { request, base: document.baseURI, state };
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
export const wholeText = (entity: ShownEntity, id: number, tag: string) =>
  askLines<'text'>({ kind: 'text', of: textSource(entity, id, tag) });
