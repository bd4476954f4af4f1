import { type CooperativeTask, runInSlices } from '../cooperative-task.ts';

type Take = (line: string) => void;

const linesPerPiece = 100;
const sliceMs = 2;

/** Trimmed, non-empty lines, holding one part and one line at most. Yields every two milliseconds. */
export async function readLines(parts: AsyncIterable<string>, take: Take): Promise<void> {
  let rest = '';
  for await (const part of parts) {
    const text = rest + part;
    const end = await runInSlices(takeWholeLines(text, take), sliceMs, () => performance.now());
    rest = text.slice(end);
  }
  takeLine(rest, take);
}

/** Returns where the last line begins, which the next part may continue. */
function* takeWholeLines(text: string, take: Take): CooperativeTask<number> {
  let start = 0;
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    takeLine(text.slice(start, end), take);
    start = end + 1;
    lines += 1;
    if (lines % linesPerPiece === 0) yield;
  }
  return start;
}

function takeLine(text: string, take: Take): void {
  const line = text.trim();
  if (line !== '') take(line);
}
