import { createAsker } from '../api/ask-worker.ts';
import type { ConfigAnswers, ConfigQuestion, DocumentQuestion, ExportQuestion } from './config-question.ts';

/** Reads and writes documents of thousands of objects, so that the page need not. */
const ask = createAsker<ConfigQuestion, ConfigAnswers[keyof ConfigAnswers]>(
  () => new Worker(new URL('./config-worker.ts', import.meta.url), { type: 'module' }),
);

/** Asks about the team's configuration. Rejects with `CallError`. */
export const askConfig = async <K extends keyof ConfigAnswers>(
  question: (DocumentQuestion | ExportQuestion) & { readonly kind: K },
) => (await ask({ ...question, base: document.baseURI })) as ConfigAnswers[K];
