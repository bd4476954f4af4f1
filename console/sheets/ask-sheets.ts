import { createAsker } from '../api/ask-worker.ts';
import type { SheetAnswer, SheetQuestion } from './sheets-question.ts';

/** Packs and unpacks XLSX files beside the page; the library for it is loaded with the first. */
const ask = createAsker<SheetQuestion, SheetAnswer>(
  () => new Worker(new URL('./sheets-worker.ts', import.meta.url), { type: 'module' }),
);

/** Rejects with an error for people, as all that reads or writes a file here. */
export async function askSheets<K extends SheetQuestion['kind']>(
  question: Extract<SheetQuestion, { kind: K }>,
): Promise<Extract<SheetAnswer, { kind: K }>> {
  return (await ask(question)) as Extract<SheetAnswer, { kind: K }>;
}
