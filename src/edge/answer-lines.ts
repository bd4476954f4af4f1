import { StringDecoder } from 'node:string_decoder';
import { exchangeKindNames } from '../entities/kinds.ts';
import {
  type ChangesBegin,
  type ChangesEnd,
  edgeProtocol,
  type SharedState,
} from '../management/edge/edge-home.ts';
import { ownMember } from '../reference/own-member.ts';
import type { ReceivedObject } from './answer-writer.ts';
import { HomeRefusal } from './home-client.ts';

/** Far more than an object takes; lists' texts come separately. */
const lineCharactersMax = 16 * 1024 * 1024;
const textCharactersMax = 128 * 1024 * 1024;
const objectsMax = 10_000_000;
const partCharacters = 64 * 1024;

/** Nothing of it counts. */
class BrokenAnswer extends Error {}

type Chunks = AsyncIterable<Buffer>;

/** In batches that came together. */
async function* linesIn(chunks: Chunks): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineCharactersMax) throw new BrokenAnswer('a line of its answer has no end');
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') throw new BrokenAnswer('its answer was cut off within a line');
}

/** In chunks that end at a line's end. */
export async function* textParts(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  let [rest, characters] = ['', 0];
  for await (const chunk of chunks) {
    rest += decoder.write(chunk);
    const end = rest.lastIndexOf('\n') + 1;
    if (end < partCharacters) continue;
    characters += end;
    if (characters > textCharactersMax) throw new BrokenAnswer('the text of a list is too long');
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

type Json = Readonly<Record<string, unknown>>;

function objectIn(line: string, number: number): Json {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // As below.
  }
  throw new BrokenAnswer(
    `line ${number} of its answer is not an object: ${JSON.stringify(line.slice(0, 60))}`,
  );
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const sharedStateIn: Readonly<Record<keyof SharedState, (one: unknown) => boolean>> = {
  trackerKeys: (one) => isJson(one) && isCount(one.id) && isText(one.secret) && isCount(one.fromMs),
  teamSettings: (one) => Array.isArray(one) && isCount(one[0]) && isJson(one[1]),
  demonstrations: isText,
  edgeKeys: (one) => isJson(one) && isCount(one.id) && isText(one.hash),
};

function isSharedState(value: unknown): value is SharedState {
  if (!isJson(value)) return false;
  return Object.entries(sharedStateIn).every(([name, isRight]) => {
    const all = ownMember(value, name);
    return Array.isArray(all) && all.every(isRight);
  });
}

function beginIn(line: string): ChangesBegin {
  const value = objectIn(line, 1);
  const { protocol, home, revision, after, ageMs, surroundings } = value;
  if (protocol !== edgeProtocol) {
    throw new HomeRefusal(
      `the home uses version ${protocol} of the edge protocol, and this edge version ${edgeProtocol}; run the same version of Bourse on both`,
    );
  }
  const isRight =
    isText(home) &&
    isCount(revision) &&
    (after === undefined || isCount(after)) &&
    typeof ageMs === 'number' &&
    (surroundings === undefined || isSharedState(surroundings));
  if (isRight) return value as unknown as ChangesBegin;
  throw new BrokenAnswer('the first line of its answer is wrong');
}

const kinds: ReadonlySet<unknown> = new Set(exchangeKindNames);

function endIn(value: Json, objects: number): ChangesEnd {
  const { objects: told, gone } = value;
  const isGone = (one: unknown) => isJson(one) && isText(one.entity) && isCount(one.id);
  if (!isCount(told) || !Array.isArray(gone) || !gone.every(isGone))
    throw new BrokenAnswer('the last line of its answer is wrong');
  if (told !== objects) throw new BrokenAnswer(`its answer has ${objects} objects of ${told}`);
  return value as unknown as ChangesEnd;
}

/** Undefined for a kind that only a newer program knows. */
function receivedIn(value: Json, json: string, number: number): ReceivedObject | undefined {
  const { entity, id, settings, connections, textRevision = 0 } = value;
  const isRight = isText(entity) && isCount(id) && isJson(settings) && isJson(connections);
  if (!isRight || !isCount(textRevision))
    throw new BrokenAnswer(`line ${number} of its answer is not an object of the configuration`);
  return kinds.has(entity) ? { entity, id, textRevision, json } : undefined;
}

/** Gets an answer as it arrives. */
export interface AnswerReader {
  begin(begin: ChangesBegin): void;
  objects(objects: readonly ReceivedObject[]): void;
}

function createLineReader(to: AnswerReader) {
  let begin: ChangesBegin | undefined;
  let end: ChangesEnd | undefined;
  let [lines, objects] = [0, 0];
  return {
    /** Undefined if it has none that this program knows. */
    read(line: string): ReceivedObject | undefined {
      lines += 1;
      if (end) throw new BrokenAnswer('its answer continues after its last line');
      if (!begin) {
        begin = beginIn(line);
        to.begin(begin);
        return undefined;
      }
      const value = objectIn(line, lines);
      if (value.entity === undefined) {
        end = endIn(value, objects);
        return undefined;
      }
      objects += 1;
      if (objects > objectsMax) throw new BrokenAnswer('its answer has too many objects');
      return receivedIn(value, line, lines);
    },
    whole() {
      if (begin && end) return { begin, end };
      throw new BrokenAnswer('its answer was cut off');
    },
  };
}

/** Rejects with `BrokenAnswer` if the answer is incomplete, with `HomeRefusal` if of another version. */
export async function readAnswer(
  chunks: Chunks,
  to: AnswerReader,
): Promise<{ readonly begin: ChangesBegin; readonly end: ChangesEnd }> {
  const reader = createLineReader(to);
  for await (const lot of linesIn(chunks)) {
    const received = lot.map(reader.read).filter((object) => object !== undefined);
    if (received.length > 0) to.objects(received);
  }
  return reader.whole();
}
