import type { LineCodec } from '../../../src/fields/line-codecs.ts';
import { lineReader } from '../../../src/fields/list-text.ts';

/** Lines without the bad ones. */
export interface GoodLines {
  /** How many were left out. */
  readonly left: number;
  /** How many entries there are besides. */
  readonly entries: number;
  /** Blank where a line was left out, so that each line keeps its number. */
  readonly text: string;
}

/** Leaves out the lines that the server would refuse. */
export function leaveOut(text: string, codec: LineCodec): GoodLines {
  const read = lineReader(codec);
  let [left, entries] = [0, 0];
  const lines = text.split('\n').map((line) => {
    const stored = read(line.trim());
    if (stored === undefined) left += 1;
    else if (stored !== '') entries += 1;
    return stored === undefined ? '' : line;
  });
  return { left, entries, text: lines.join('\n') };
}
