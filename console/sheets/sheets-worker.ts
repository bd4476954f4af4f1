import { answerQuestions } from '../api/answer-questions.ts';
import { sizeFault } from './sheet.ts';
import type { SheetAnswer, SheetQuestion } from './sheets-question.ts';
import { readXlsx, writeTable } from './xlsx.ts';

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

answerQuestions<SheetQuestion, SheetAnswer>(async (question) => {
  if (question.kind === 'write') {
    const file = new Blob([new Uint8Array(await writeTable(question.table))], { type });
    return { kind: 'write', file };
  }
  const { of, bounds } = question;
  const tooLarge = sizeFault(of.size, bounds);
  if (tooLarge) throw new Error(tooLarge);
  return { kind: 'read', rows: await readXlsx(new Uint8Array(await of.arrayBuffer()), bounds) };
});
