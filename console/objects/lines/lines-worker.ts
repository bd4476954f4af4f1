import { answerQuestions } from '../../api/answer-questions.ts';
import { objectIn } from '../../api/answers.ts';
import { sendRequest } from '../../api/call.ts';
import { convertLines } from './convert-lines.ts';
import type {
  Answers,
  AnyQuestion,
  ConversionQuestion,
  ConvertedLines,
  FoundLines,
  LinesQuestion,
  TextQuestion,
  TextSource,
} from './lines-question.ts';

/** Texts held at a time: two versions, and one to come. */
const textsMax = 3;

/** Remembers the last results of a function by their keys; a failure is forgotten. */
function remembered<T>(max: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const held = new Map<string, Promise<T>>();
  return (key, make) => {
    const result = held.get(key) ?? make();
    held.delete(key);
    held.set(key, result);
    for (const oldest of held.keys()) if (held.size > max) held.delete(oldest);
    result.catch(() => held.delete(key));
    return result;
  };
}

const keyOf = ({ request, state }: TextSource) => JSON.stringify([request, state]);
const texts = remembered<readonly string[]>(textsMax);
const searches = remembered<Uint32Array>(2);

const linesOf = (source: TextSource): Promise<readonly string[]> =>
  texts(keyOf(source), async () => {
    const { data } = await sendRequest(source.request, { base: source.base });
    const text = String(objectIn(data).ListText ?? '');
    return text === '' ? [] : text.split('\n');
  });

/** The indexes of the lines at one source that the other lacks. */
async function candidates({ of, without }: LinesQuestion): Promise<Uint32Array> {
  const [lines, others] = await Promise.all([linesOf(of), without ? linesOf(without) : []]);
  const known = new Set(others);
  return Uint32Array.from(lines.keys()).filter((index) => !known.has(lines[index] ?? ''));
}

async function search(question: LinesQuestion): Promise<FoundLines> {
  const { of, without, query, from, count } = question;
  const pair = keyOf(of) + (without ? keyOf(without) : '');
  const [lines, all] = await Promise.all([linesOf(of), searches(pair, () => candidates(question))]);
  const wanted = query.trim().toLowerCase();
  const found =
    wanted === ''
      ? all
      : await searches(pair + wanted, async () =>
          all.filter((index) => lines[index]?.toLowerCase().includes(wanted)),
        );
  const shown = Array.from(found.subarray(from, from + count), (index) => ({
    number: index + 1,
    text: lines[index] ?? '',
  }));
  return { all: all.length, found: found.length, lines: shown };
}

async function whole({ of, first }: TextQuestion): Promise<Blob> {
  const text = (await linesOf(of)).join('\n');
  return new Blob(first ? [first, '\n', text] : [text, '\n'], { type: 'text/plain' });
}

async function conversion({ of, list, column }: ConversionQuestion): Promise<ConvertedLines | undefined> {
  const found = convertLines(await of.text(), list, column);
  if (!found) return undefined;
  const { text, ...rest } = found;
  return { ...rest, blob: new Blob([text], { type: 'text/plain' }) };
}

answerQuestions<AnyQuestion, Answers[keyof Answers]>(async (question) => {
  if (question.kind === 'lines') return search(question);
  return question.kind === 'text' ? whole(question) : conversion(question);
});
