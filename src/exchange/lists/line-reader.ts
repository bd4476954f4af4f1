/**
 * Hands every line of a text to `take`, trimmed, without the empty ones. The parts may end anywhere; no more than one
 * part and one line is held.
 */
export async function readLines(parts: AsyncIterable<string>, take: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const part of parts) {
    const text = rest + part;
    rest = text.slice(takeWholeLines(text, take));
  }
  takeLine(rest, take);
}

/** Returns where the last line begins, which may go on in the next part. */
function takeWholeLines(text: string, take: (line: string) => void): number {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    takeLine(text.slice(start, end), take);
    start = end + 1;
  }
  return start;
}

function takeLine(text: string, take: (line: string) => void): void {
  const line = text.trim();
  if (line !== '') take(line);
}
