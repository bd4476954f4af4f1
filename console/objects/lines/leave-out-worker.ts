import { listTextOf } from '../../../src/entities/list-text-of.ts';
import { entityOf } from '../../../src/entities/registry.ts';
import { answerQuestions } from '../../api/answer-questions.ts';
import { leaveOut } from './leave-out.ts';
import type { LeaveOutAnswer, LeaveOutQuestion } from './leave-out-question.ts';

answerQuestions<LeaveOutQuestion, LeaveOutAnswer>(async ({ of, list }) => {
  const entity = entityOf(list);
  const field = entity && listTextOf(entity);
  if (!field) throw new Error(`${list} is no list`);
  const { text, ...counts } = leaveOut(await of.text(), field.codec);
  return { ...counts, rest: new Blob([text], { type: 'text/plain' }) };
});
