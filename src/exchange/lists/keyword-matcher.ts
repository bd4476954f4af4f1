import { readLines } from './line-reader.ts';
import { sharedWords } from './shared-array.ts';
import {
  byteText,
  createTextTable,
  hashOf,
  type TextMemory,
  type TextTable,
  textTableOn,
} from './text-table.ts';

/** 0 exact, 1 phrase, 2 broad (`KeywordBlacklistsType`). */
export type KeywordMode = 0 | 1 | 2;

export interface KeywordMatcher {
  readonly size: number;
  readonly memory: KeywordMemory;
  /** The first keyword that blocks the query, in lower case and single-spaced. */
  first(query: string, mode: KeywordMode): string | undefined;
}

/** Bounds the cost: only the beginning of a longer text is searched. */
const queryCharactersMax = 4096;

const beyondAscii = /[^\0-\x7f]/;

function wordsOf(text: string): string[] {
  const plain = beyondAscii.test(text) ? text.normalize('NFC') : text;
  return plain
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

type Range = readonly [start: number, end: number];

/** Word numbers, one keyword after the other, in memory that threads share. */
interface KeywordNumbers {
  /** Keyword *n* lies from `starts[n]` to `starts[n + 1]`. */
  readonly sequence: Uint32Array;
  readonly starts: Uint32Array;
}

interface Keywords extends KeywordNumbers {
  readonly words: TextTable;
}

/** Word *w* has the keywords in `filed` from `starts[w]` to `starts[w + 1]`. */
interface Files {
  readonly filed: Uint32Array;
  readonly starts: Uint32Array;
}

export interface KeywordMemory {
  readonly words: TextMemory;
  readonly keywords: KeywordNumbers;
  readonly files: Files;
}

function createNumbers() {
  let numbers = new Uint32Array(64);
  let used = 0;
  return {
    get used() {
      return used;
    },
    push(number: number) {
      if (used === numbers.length) {
        const old = numbers;
        numbers = new Uint32Array(old.length * 2);
        numbers.set(old);
      }
      numbers[used] = number;
      used += 1;
    },
    whole: () => sharedWords(numbers.subarray(0, used)),
  };
}

async function readKeywords(parts: AsyncIterable<string>): Promise<Omit<KeywordMemory, 'files'>> {
  const words = createTextTable();
  const sequence = createNumbers();
  const starts = createNumbers();
  await readLines(parts, (line) => {
    starts.push(sequence.used);
    for (const word of wordsOf(line)) sequence.push(words.add(byteText(word)));
  });
  starts.push(sequence.used);
  return { words: words.memory(), keywords: { sequence: sequence.whole(), starts: starts.whole() } };
}

/** Found in the fewest keywords, so that a look-up by it yields few others. */
function rarestWord({ sequence, starts }: KeywordNumbers, keyword: number, counts: Uint32Array): number {
  let rarest = sequence[starts[keyword] ?? 0] ?? 0;
  for (let at = (starts[keyword] ?? 0) + 1; at < (starts[keyword + 1] ?? 0); at += 1) {
    const word = sequence[at] ?? 0;
    if ((counts[word] ?? 0) < (counts[rarest] ?? 0)) rarest = word;
  }
  return rarest;
}

function countsOf(numbers: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

/** By their rarest words, in the order of the list. */
function file(keywords: KeywordNumbers, words: number): Files {
  const counts = countsOf(keywords.sequence, words);
  const size = keywords.starts.length - 1;
  const under = Uint32Array.from({ length: size }, (_, keyword) => rarestWord(keywords, keyword, counts));
  const starts = new Uint32Array(words + 1);
  for (const [word, count] of countsOf(under, words).entries()) {
    starts[word + 1] = (starts[word] ?? 0) + count;
  }
  const next = starts.slice();
  const filed = new Uint32Array(size);
  for (const [keyword, word] of under.entries()) {
    filed[next[word] ?? 0] = keyword;
    next[word] = (next[word] ?? 0) + 1;
  }
  return { filed: sharedWords(filed), starts: sharedWords(starts) };
}

/** As numbers of the list's words, -1 for others. */
interface Query {
  readonly sequence: readonly number[];
  readonly mode: KeywordMode;
  /** Known words, each with its first position. */
  readonly known: ReadonlyMap<number, number>;
}

function queryOf(query: string, mode: KeywordMode, words: TextTable): Query {
  const sequence = wordsOf(query.slice(0, queryCharactersMax)).map((word) => {
    const text = byteText(word);
    return words.find(text, 0, hashOf(text));
  });
  const known = new Map<number, number>();
  for (const [place, word] of sequence.entries()) {
    if (word !== -1 && !known.has(word)) known.set(word, place);
  }
  return { sequence, mode, known };
}

/** For phrases every occurrence of a word counts, in the other modes only the first. */
function asksAt({ mode, known }: Query, place: number, word: number): boolean {
  return word !== -1 && (mode === 1 || known.get(word) === place);
}

/** Whether the words from `start` to `end` follow each other in the query at `place`. */
function isSequenceAt({ sequence }: Keywords, [start, end]: Range, query: Query, place: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (sequence[at] !== query.sequence[place + at - start]) return false;
  }
  return true;
}

function hasWords({ sequence }: Keywords, [start, end]: Range, { known }: Query): boolean {
  for (let at = start; at < end; at += 1) if (!known.has(sequence[at] ?? -1)) return false;
  return true;
}

/** Whether a keyword with the query's word at `place` blocks the query. */
function blocks(keywords: Keywords, keyword: number, query: Query, place: number): boolean {
  const range: Range = [keywords.starts[keyword] ?? 0, keywords.starts[keyword + 1] ?? 0];
  if (query.mode === 2) return hasWords(keywords, range, query);
  if (query.mode === 0) {
    return query.sequence.length === range[1] - range[0] && isSequenceAt(keywords, range, query, 0);
  }
  const offset = keywords.sequence.indexOf(query.sequence[place] ?? -1, range[0]) - range[0];
  return isSequenceAt(keywords, range, query, place - offset);
}

/** The first keyword in the list that blocks the query, or -1. A keyword is filed under one of its words. */
function firstBlocking(keywords: Keywords, files: Files, query: Query): number {
  let first = -1;
  for (let place = 0; place < query.sequence.length; place += 1) {
    const word = query.sequence[place] as number;
    if (!asksAt(query, place, word)) continue;
    const end = files.starts[word + 1] ?? 0;
    for (let at = files.starts[word] ?? 0; at < end; at += 1) {
      const keyword = files.filed[at] ?? 0;
      if (first !== -1 && keyword >= first) break;
      if (!blocks(keywords, keyword, query, place)) continue;
      first = keyword;
      break;
    }
  }
  return first;
}

export function keywordsOn(memory: KeywordMemory): KeywordMatcher {
  const { files } = memory;
  const keywords: Keywords = { ...memory.keywords, words: textTableOn(memory.words) };
  return {
    memory,
    size: files.filed.length,
    first(text, mode) {
      const keyword = firstBlocking(keywords, files, queryOf(text, mode, keywords.words));
      if (keyword === -1) return undefined;
      const { words, sequence, starts } = keywords;
      return Array.from(sequence.subarray(starts[keyword], starts[keyword + 1]), words.text).join(' ');
    },
  };
}

/** Spaces and case do not count; anything between two spaces is a word. */
export async function compileKeywords(parts: AsyncIterable<string>): Promise<KeywordMatcher> {
  const { words, keywords } = await readKeywords(parts);
  return keywordsOn({ words, keywords, files: file(keywords, words.size) });
}
