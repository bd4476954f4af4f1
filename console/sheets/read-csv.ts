import { withoutMarks } from '../../src/reference/csv.ts';
import { collectRows, type Sheet, type SheetBounds, sheetOf, sizeFault } from './sheet.ts';

const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** UTF-8, or UTF-16 as Excel saves “Unicode text”. */
function decode(bytes: Uint8Array): string {
  const [, encoding = 'utf-8'] =
    marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is not UTF-8. Save it as “CSV UTF-8” or as XLSX, and choose it again.');
  }
}

const separators = [',', ';', '\t'] as const;

/** The separator of a table: as its first line names it (Excel's `sep=;`), or the one that its head has most of. */
function separatorIn(text: string): { readonly separator: string; readonly from: number } {
  const named = /^sep=([,;\t])\r?\n/i.exec(text);
  if (named?.[1]) return { separator: named[1], from: named[0].length };
  const head = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = separators.map((separator) => head.split(separator).length);
  return { separator: separators[counts.indexOf(Math.max(...counts))] ?? ',', from: 0 };
}

/** Reads a cell at a place; answers where its text ends. RFC 4180; text behind the closing quote is taken as it is. */
function cellAt(text: string, from: number, ends: RegExp): { readonly cell: string; readonly end: number } {
  ends.lastIndex = from;
  if (text[from] !== '"') {
    const end = ends.exec(text)?.index ?? text.length;
    return { cell: text.slice(from, end), end };
  }
  let close = from + 1;
  for (;;) {
    close = text.indexOf('"', close);
    if (close === -1) return { cell: '', end: -1 };
    if (text[close + 1] !== '"') break;
    close += 2;
  }
  ends.lastIndex = close + 1;
  const end = ends.exec(text)?.index ?? text.length;
  return { cell: text.slice(from + 1, close).replaceAll('""', '"') + text.slice(close + 1, end), end };
}

/** The rows of a text, each with its number. Throws where a quote is not closed. */
function* rowsIn(text: string, separator: string, start: number): Generator<readonly [number, string[]]> {
  const ends = new RegExp(`[\\r\\n${separator}]`, 'g');
  let [from, number] = [start, start === 0 ? 1 : 2];
  let cells: string[] = [];
  while (from <= text.length) {
    const { cell, end } = cellAt(text, from, ends);
    if (end === -1)
      throw new Error(
        `Row ${number} has a quotation mark that is not closed. Close it, or double it within a text.`,
      );
    cells.push(withoutMarks(cell));
    from = end + 1;
    if (text[end] === separator) continue;
    yield [number, cells];
    if (text[end] === '\r' && text[from] === '\n') from += 1;
    number += 1;
    cells = [];
    if (from === text.length) return;
  }
}

/** Reads a CSV with commas, semicolons or tabs. Throws with a message for people where it cannot be read. */
export function readCsv(bytes: Uint8Array, bounds: SheetBounds): Sheet {
  const tooLarge = sizeFault(bytes.length, bounds);
  if (tooLarge) throw new Error(tooLarge);
  const text = decode(bytes);
  const { separator, from } = separatorIn(text);
  const collected = collectRows(bounds);
  for (const [number, cells] of rowsIn(text, separator, from)) if (!collected.add(number, cells)) break;
  if (collected.fault) throw new Error(collected.fault);
  return sheetOf(collected.rows, separator === ',' ? 'Point' : 'Comma');
}
