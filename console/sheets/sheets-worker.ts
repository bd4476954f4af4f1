import { answerQuestions } from '../api/answer-questions.ts';
import { lineBounds, linesOf, type SheetBounds, sizeFault } from './sheet.ts';
import type { SheetAnswer, SheetQuestion } from './sheets-question.ts';
import { readXlsx, writeTable } from './xlsx.ts';

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function rowsOf(file: Blob, bounds: SheetBounds) {
  const tooLarge = sizeFault(file.size, bounds);
  if (tooLarge) throw new Error(tooLarge);
  return readXlsx(new Uint8Array(await file.arrayBuffer()), bounds);
}

answerQuestions<SheetQuestion, SheetAnswer>(async (question) => {
  if (question.kind === 'read') return { kind: 'read', rows: await rowsOf(question.of, question.bounds) };
  if (question.kind === 'write') {
    const file = new Blob([new Uint8Array(await writeTable(question.table))], { type });
    return { kind: 'write', file };
  }
  const text = linesOf(await rowsOf(question.of, lineBounds));
  return { kind: 'lines', text: new Blob([text], { type: 'text/plain' }) };
});
