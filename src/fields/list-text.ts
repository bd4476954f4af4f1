import { Type } from 'typebox';
import { documentField, type Field, type FieldOptions } from './field.ts';
import type { LineCodec, LinePart } from './line-codecs.ts';
import { createLineSet } from './line-set.ts';
import { quoted } from './quoted.ts';

const listTextSchema = Type.String();

/** Entries separated by new lines, possibly a million; only returned with a single object. */
export function listText(
  row: FieldOptions & { codec: LineCodec },
): Field<typeof listTextSchema, typeof listTextSchema, 'optional'> {
  const { codec, help } = row;
  return {
    ...documentField(listTextSchema, { omitted: '', help, example: codec.example }),
    inArray: false,
    onlyInSingle: true,
    place: { kind: 'listText', codec },
  };
}

/** Its number from 1, and the line as messages show it. */
export interface BadLine {
  readonly number: number;
  readonly line: string;
}

export interface ListLines {
  /** Joined by new lines, in chunks of some ten thousand lines. */
  readonly parts: readonly string[];
  readonly counts: Readonly<Record<LinePart, number>>;
  /** The first ten bad lines, and how many there are. */
  readonly badLines: readonly BadLine[];
  readonly badLineCount: number;
}

/** Far more than any entry takes; longer lines are not parsed. */
const lineCharactersMax = 4096;
const charactersPerSlice = 32 * 1024;
const badLinesShown = 10;

/** A slice of the whole text, without memory of its own, if lines are stored as sent. */
function pieceOf(text: string) {
  let from = -1;
  return {
    begin(at: number) {
      if (from === -1) from = at;
    },
    textOf(lines: readonly string[]) {
      const joined = lines.join('\n');
      const piece = text.slice(from, from + joined.length);
      from = -1;
      return piece === joined ? piece : joined;
    },
  };
}

/** Reads trimmed lines, one after another: what is stored of each, `""` of a blank one or a comment; undefined for a bad one. */
export function lineReader({ header, clean }: LineCodec): (line: string) => string | undefined {
  let isFirst = true;
  return (line) => {
    if (line === '' || line.startsWith('#')) return '';
    const isRefused = (isFirst && header?.test(line) === true) || line.length > lineCharactersMax;
    const stored = isRefused ? undefined : clean(line);
    // A bad line ends no beginning: without the bad ones, the others are judged as before.
    if (stored !== undefined) isFirst = false;
    return stored;
  };
}

/** Cleans and counts lines, and remembers bad ones (reference, "Lists"). */
function lineCollector(text: string, codec: LineCodec) {
  const { begin, textOf } = pieceOf(text);
  const taken = createLineSet({ textOf });
  const read = lineReader(codec);
  const badLines: BadLine[] = [];
  const counts = { entries: 0, ranges: 0 };
  let number = 0;
  let badLineCount = 0;
  const add = (from: number, to: number) => {
    const line = text.slice(from, to).trim();
    number += 1;
    const stored = read(line);
    if (stored === '') return;
    begin(from);
    if (stored === undefined) {
      badLineCount += 1;
      if (badLines.length < badLinesShown) badLines.push({ number, line: quoted(line) });
    } else if (taken.add(stored)) counts[codec.part(stored)] += 1;
  };
  const end = (): ListLines => ({ parts: taken.parts(), counts, badLines, badLineCount });
  return { add, end };
}

/** Awaits `pause` after every 32 Ki characters, so as not to block. */
export async function readListText(
  text: string,
  codec: LineCodec,
  pause: () => Promise<unknown>,
): Promise<ListLines> {
  const collector = lineCollector(text, codec);
  let from = 0;
  let sliceEnd = charactersPerSlice;
  while (from <= text.length) {
    const end = text.indexOf('\n', from);
    collector.add(from, end === -1 ? text.length : end);
    if (end === -1) break;
    from = end + 1;
    if (from < sliceEnd) continue;
    sliceEnd = from + charactersPerSlice;
    await pause();
  }
  return collector.end();
}
