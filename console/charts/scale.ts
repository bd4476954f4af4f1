/** The horizontal lines of a chart: round numbers from at or below the least value and 0 to at or above the greatest. */
export function roundTicks(values: readonly number[], countMax = 5): readonly number[] {
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = greatest - least || 1;
  const rough = range / countMax;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10;
  const step = factor * power;
  const [from, to] = [Math.floor(least / step), Math.ceil((greatest || least + range) / step)];
  // Multiples of a decimal step have tails, such as 0.30000000000000004.
  return Array.from({ length: to - from + 1 }, (_, at) => Number(((from + at) * step).toPrecision(12)));
}

/** Every how many categories one is named, so that names of that many characters have room in the width. */
export function labelEvery(
  categories: readonly string[],
  widthPx: number,
  { characterPx = 7, gapPx = 16 } = {},
): number {
  const longest = Math.max(1, ...categories.map(({ length }) => length));
  const fitting = Math.max(1, Math.floor(widthPx / (longest * characterPx + gapPx)));
  return Math.max(1, Math.ceil(categories.length / fitting));
}

/** Runs of values with their places; a value that is missing ends a run. */
export function runsOf(
  values: readonly (number | null)[],
): readonly (readonly (readonly [at: number, value: number])[])[] {
  const runs: (readonly [number, number])[][] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) isOpen = false;
    else if (isOpen) runs.at(-1)?.push([at, value]);
    else {
      runs.push([[at, value]]);
      isOpen = true;
    }
  }
  return runs;
}
