import { ownMember } from '../../../reference/own-member.ts';
import type { TargetedObject } from '../../configuration.ts';
import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import { isWhitelisted } from '../compile-checks.ts';
import type { ListRule, Lists } from '../rule.ts';
import type { RowChange } from './row-change.ts';

/** A question that several objects ask is answered at most once per opportunity. */
export interface ListRows {
  /** For the calls of `refusedBy` that follow. */
  begin(opportunity: Opportunity): void;
  /** Index of the first rule by which own or global lists refuse it; -1 if all admit it. */
  refusedBy(index: number): number;
  after(change: RowChange): CooperativeTask<ListRows>;
}

/** Questions with the same name ask the same. */
interface Question {
  readonly name: string;
  readonly rule: ListRule;
  refuses(opportunity: Opportunity): boolean;
}

/** Questions of object *n* are in `cells`, from `spans[2n]` to `spans[2n + 1]`. */
interface Questionnaire {
  readonly questions: readonly Question[];
  readonly cells: Int32Array;
  readonly spans: Int32Array;
}

function isHeld(rule: ListRule, listIds: readonly number[], lists: Lists, met: Opportunity): boolean {
  for (const listId of listIds) if (rule.holds(lists, listId, met)) return true;
  return false;
}

function* ownQuestions(rule: ListRule, object: TargetedObject, lists: Lists): Iterable<Question> {
  const own = ownMember(object.connections, rule.field) ?? [];
  if (isWhitelisted(rule, object)) {
    yield { name: `only ${rule.reason} ${own}`, rule, refuses: (met) => !isHeld(rule, own, lists, met) };
    return;
  }
  for (const id of own) {
    yield { name: `${rule.reason} ${id}`, rule, refuses: (met) => isHeld(rule, [id], lists, met) };
  }
}

/** Rule by rule: the team's global lists, and its own. */
function* questionsOf(object: TargetedObject, rules: readonly ListRule[], lists: Lists): Iterable<Question> {
  const { teamId } = object;
  for (const rule of rules) {
    yield {
      name: `team ${teamId} ${rule.reason}`,
      rule,
      refuses: (met) => isHeld(rule, lists.global(rule.kind, teamId), lists, met),
    };
    yield* ownQuestions(rule, object, lists);
  }
}

/** In the order first asked. */
function createNumbering() {
  const questions: Question[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (question: Question): number => {
    const known = numbers.get(question.name);
    if (known !== undefined) return known;
    numbers.set(question.name, questions.length);
    return questions.push(question) - 1;
  };
  return { questions, numberOf };
}

/** Questions that nobody asks any more are dropped. */
function* changedQuestionnaire(
  { questions, cells, spans }: Questionnaire,
  { size, kept, added }: RowChange,
  ask: (object: TargetedObject) => Iterable<Question>,
): CooperativeTask<Questionnaire> {
  const numbering = createNumbering();
  const renumbered = new Int32Array(questions.length).fill(-1);
  const numberNow = (number: number): number => {
    if (renumbered[number] === -1) renumbered[number] = numbering.numberOf(questions[number] as Question);
    return renumbered[number] as number;
  };
  const nextCells: number[] = [];
  const nextSpans = new Int32Array(2 * size);
  for (const run of kept) {
    for (let at = 0; at < run.length; at += 1) {
      const from = 2 * (run.from + at);
      nextSpans[2 * (run.to + at)] = nextCells.length;
      for (let cell = spans[from] as number; cell < (spans[from + 1] as number); cell += 1) {
        nextCells.push(numberNow(cells[cell] as number));
      }
      nextSpans[2 * (run.to + at) + 1] = nextCells.length;
    }
    yield;
  }
  for (const { place, object } of added) {
    nextSpans[2 * place] = nextCells.length;
    for (const question of ask(object)) nextCells.push(numbering.numberOf(question));
    nextSpans[2 * place + 1] = nextCells.length;
    yield;
  }
  return { questions: numbering.questions, cells: new Int32Array(nextCells), spans: nextSpans };
}

const isAdmitted = 1;
const isRefused = 2;

function listRowsOf(
  asked: Questionnaire,
  rules: readonly ListRule[],
  askOf: (object: TargetedObject) => Iterable<Question>,
): ListRows {
  const { questions, cells, spans } = asked;
  const places = questions.map(({ rule }) => rules.indexOf(rule));
  /** By question; 0 = not asked yet. */
  const answers = new Uint8Array(questions.length);
  let current: Opportunity;

  const ask = (question: number): number => {
    const answer = questions[question]?.refuses(current) ? isRefused : isAdmitted;
    answers[question] = answer;
    return answer;
  };

  return {
    begin(opportunity) {
      current = opportunity;
      answers.fill(0);
    },
    refusedBy(index) {
      const end = spans[2 * index + 1] as number;
      for (let at = spans[2 * index] as number; at < end; at += 1) {
        const question = cells[at] as number;
        if ((answers[question] || ask(question)) === isRefused) return places[question] as number;
      }
      return -1;
    },
    *after(change) {
      return listRowsOf(yield* changedQuestionnaire(asked, change, askOf), rules, askOf);
    },
  };
}

export function emptyListRows(rules: readonly ListRule[], lists: Lists): ListRows {
  const nobody = { questions: [], cells: new Int32Array(0), spans: new Int32Array(0) };
  return listRowsOf(nobody, rules, (object) => questionsOf(object, rules, lists));
}
