import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import { isWhitelisted } from './compile-checks.ts';
import type { ListRule, Lists } from './rule.ts';

/** The lists of many objects; what several objects ask of them is looked up at most once an opportunity. */
export interface ListRows {
  /** Takes the opportunity that `admits` is then asked of. */
  begin(opportunity: Opportunity): void;
  /** Whether the object's lists and its team's global ones admit it. */
  admits(index: number): boolean;
}

/** Whether lists refuse an opportunity. */
type Refuses = (opportunity: Opportunity) => boolean;

function isHeld(rule: ListRule, listIds: readonly number[], lists: Lists, met: Opportunity): boolean {
  if (rule.subjectOf(met) === undefined) return false;
  for (const listId of listIds) if (rule.holds(lists, listId, met)) return true;
  return false;
}

/** Distinct questions, numbered in the order in which objects first ask them. */
function createQuestions(rules: readonly ListRule[], lists: Lists) {
  const questions: Refuses[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string, refuses: Refuses): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, questions.length);
    return questions.push(refuses) - 1;
  };
  return {
    questions,
    ofTeam: (teamId: number) =>
      numberOf(`team ${teamId}`, (met) =>
        rules.some((rule) => isHeld(rule, lists.global(rule.kind, teamId), lists, met)),
      ),
    ofBlacklist: (rule: ListRule, listId: number) =>
      numberOf(`${rule.kind} ${listId}`, (met) => isHeld(rule, [listId], lists, met)),
    ofWhitelists: (rule: ListRule, listIds: readonly number[]) =>
      numberOf(`only ${rule.kind} ${listIds}`, (met) => !isHeld(rule, listIds, lists, met)),
  };
}

/** Rows of numbers of questions: those of object *n* lie from `starts[n]` to `starts[n + 1]`. */
function rowsOf(objects: readonly ConfigurationObject[], rules: readonly ListRule[], lists: Lists) {
  const { questions, ofTeam, ofBlacklist, ofWhitelists } = createQuestions(rules, lists);
  const cells: number[] = [];
  const starts = new Int32Array(objects.length + 1);
  for (const [index, object] of objects.entries()) {
    cells.push(ofTeam(object.teamId));
    for (const rule of rules) {
      const own = object.connections[rule.field] ?? [];
      if (isWhitelisted(rule, object)) cells.push(ofWhitelists(rule, own));
      else for (const listId of own) cells.push(ofBlacklist(rule, listId));
    }
    starts[index + 1] = cells.length;
  }
  return { questions, cells: Int32Array.from(cells), starts };
}

const isAdmitted = 1;
const isRefused = 2;

/** Lists by object. */
export function createListRows(
  objects: readonly ConfigurationObject[],
  rules: readonly ListRule[],
  lists: Lists,
): ListRows {
  const { questions, cells, starts } = rowsOf(objects, rules, lists);
  /** By question; 0: not asked yet. */
  const answers = new Uint8Array(questions.length);
  let current: Opportunity;

  const ask = (question: number): number => {
    const answer = questions[question]?.(current) ? isRefused : isAdmitted;
    answers[question] = answer;
    return answer;
  };

  return {
    begin(opportunity) {
      current = opportunity;
      answers.fill(0);
    },
    admits(index) {
      const end = starts[index + 1] as number;
      for (let at = starts[index] as number; at < end; at += 1) {
        const question = cells[at] as number;
        if ((answers[question] || ask(question)) === isRefused) return false;
      }
      return true;
    },
  };
}
