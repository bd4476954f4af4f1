import { Type } from 'typebox';
import { documentField, type Field, type FieldOptions } from './field.ts';
import type { LineCodec } from './line-codecs.ts';

const listTextSchema = Type.String();

/** A list's text: entries separated by new lines, possibly a million; given back only by a fetch of one object. */
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

/** The result of reading a list's text. */
export interface ListLines {
  /** The stored lines, joined by new lines, in parts of some ten thousand lines. */
  readonly parts: readonly string[];
  readonly counts: Readonly<Record<'entries' | 'ranges', number>>;
  /** The numbers of the first ten bad lines, from 1. */
  readonly badLines: readonly number[];
}

const linesPerPart = 10_000;
const badLinesShown = 10;

/**
 * Collects a list's lines: trims them, drops empty ones, comments (`#`) and duplicates, counts the rest, and remembers
 * bad ones (decisions, "Lists").
 */
function lineCollector(codec: LineCodec) {
  const seen = new Set<string>();
  const parts: string[] = [];
  const badLines: number[] = [];
  const counts = { entries: 0, ranges: 0 };
  let part: string[] = [];
  let number = 0;
  const endPart = () => {
    if (part.length > 0) parts.push(part.join('\n'));
    part = [];
  };
  const add = (line: string) => {
    number += 1;
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return;
    const stored = codec.clean(trimmed);
    if (stored === undefined) {
      if (badLines.length < badLinesShown) badLines.push(number);
      return;
    }
    if (seen.has(stored)) return;
    seen.add(stored);
    counts[codec.part(stored)] += 1;
    part.push(stored);
    if (part.length === linesPerPart) endPart();
  };
  const end = (): ListLines => {
    endPart();
    return { parts, counts, badLines };
  };
  return { add, end };
}

/**
 * Reads a list's text. Between slices of lines it awaits `pause`, so that a long list holds nobody up.
 */
export async function readListText(
  text: string,
  codec: LineCodec,
  pause: () => Promise<unknown>,
): Promise<ListLines> {
  const collector = lineCollector(codec);
  let from = 0;
  for (let lines = 1; from <= text.length; lines += 1) {
    const end = text.indexOf('\n', from);
    collector.add(text.slice(from, end === -1 ? text.length : end));
    if (end === -1) break;
    from = end + 1;
    if (lines % linesPerPart === 0) await pause();
  }
  return collector.end();
}
