function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

function lineCountText(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** In a few words. */
export function textChange(from: string, to: string): readonly [from: string, to: string] {
  const [old, next] = [linesOf(from), linesOf(to)];
  const [oldLines, nextLines] = [new Set(old), new Set(next)];
  const added = next.filter((line) => !oldLines.has(line)).length;
  const removed = old.filter((line) => !nextLines.has(line)).length;
  const how = added + removed === 0 ? 'in another order' : `${added} added, ${removed} removed`;
  return [lineCountText(old.length), `${lineCountText(next.length)} (${how})`];
}
