/** Where something stands in a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

interface JsonFault {
  readonly offset: number;
  /** Of the value that is wrong, as the API names it: `Filters[0].Values`; "" for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface JsonReading {
  /** Where each value begins, by its path; those before the fault. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly fault?: JsonFault;
}

class Fault extends Error {}

const spaces = /[ \t\n\r]*/y;
const text = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;
/** What ends a word that is no value. */
const word = /[^\s,:[\]{}]+/y;
const depthMax = 500;

function fail(message: string): never {
  throw new Fault(message);
}

/** Goes through a text, from its beginning on. */
function cursorOn(source: string) {
  let at = 0;
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const [found] = form.exec(source) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  const isNext = (mark: string): boolean => {
    take(spaces);
    return source[at] === mark;
  };
  return {
    at: () => at,
    /** Whether nothing follows but spaces. */
    isAtEnd() {
      take(spaces);
      return at === source.length;
    },
    isNext,
    isTaken(mark: string): boolean {
      if (!isNext(mark)) return false;
      at += 1;
      return true;
    },
    takeText: (): string =>
      take(text) ?? fail('the text has no closing quote, or a character that must be escaped'),
    takeWord() {
      const start = at;
      const found = take(word) ?? fail('a value is missing');
      at = start;
      if (take(plain) === found) return;
      at = start;
      fail(`${found.slice(0, 40)} is no value; texts stand in double quotes`);
    },
  };
}

/** Reads JSON (RFC 8259) for where its values stand, and what is wrong with it first. */
export function readJson(source: string): JsonReading {
  const offsets = new Map<string, number>();
  const cursor = cursorOn(source);
  const { isNext, isTaken } = cursor;
  let path = '';
  const within = (inner: string, read: () => void) => {
    const outer = path;
    path = inner;
    read();
    path = outer;
  };
  const members = (depth: number) => {
    if (isTaken('}')) return;
    do {
      if (isNext('}')) fail('there is a comma too many');
      if (!isNext('"')) fail('a name in double quotes is missing');
      const name: string = JSON.parse(cursor.takeText());
      within(path === '' ? name : `${path}.${name}`, () => {
        if (!isTaken(':')) fail('a colon after the name is missing');
        value(depth);
      });
    } while (isTaken(','));
    if (!isTaken('}')) fail('a comma or } is missing');
  };
  const items = (depth: number) => {
    if (isTaken(']')) return;
    let index = 0;
    do {
      if (isNext(']')) fail('there is a comma too many');
      within(`${path}[${index}]`, () => value(depth));
      index += 1;
    } while (isTaken(','));
    if (!isTaken(']')) fail('a comma or ] is missing');
  };
  const value = (depth: number) => {
    const isText = isNext('"');
    if (depth > depthMax) fail('it is nested too deeply');
    if (!offsets.has(path)) offsets.set(path, cursor.at());
    if (isTaken('{')) members(depth + 1);
    else if (isTaken('[')) items(depth + 1);
    else if (isText) cursor.takeText();
    else cursor.takeWord();
  };
  try {
    value(0);
    if (!cursor.isAtEnd()) fail('nothing may follow the value');
    return { offsets };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { offsets, fault: { offset: cursor.at(), path, message: error.message } };
  }
}

/** The line and column of an offset. */
export function placeIn(source: string, offset: number): TextPlace {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where the value of a path begins, or the nearest one around it that is there. */
export function placeOfPath(source: string, path: string): TextPlace {
  const { offsets } = readJson(source);
  for (let wanted = path; ; wanted = wanted.replace(/(?:\.|^)[^.[]*$|\[\d+\]$/, '')) {
    const offset = offsets.get(wanted);
    if (offset !== undefined || wanted === '') return placeIn(source, offset ?? 0);
  }
}
