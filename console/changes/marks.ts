/** What has a time, as RFC 3339. */
interface TimedChange {
  readonly Time: string;
}

/** Changes that a chart marks together. */
export interface Mark<Change extends TimedChange> {
  /** By which the chart and the list below it name the mark. */
  readonly letter: string;
  /** The step of time that it is drawn at: that of the first change. */
  readonly index: number;
  /** The newest first. */
  readonly changes: readonly Change[];
}

/** More would cover the chart. */
const marksMax = 12;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The step of time that a moment is in; -1 = before all. */
const stepAt = (startsMs: readonly number[], ms: number) => startsMs.findLastIndex((start) => start <= ms);

/**
 * Marks changes at steps of time, by their starts in order. Where there are more than fit, those of several steps in
 * a row share a mark.
 */
export function marksOf<Change extends TimedChange>(
  changes: readonly Change[],
  starts: readonly string[],
): readonly Mark<Change>[] {
  const startsMs = starts.map((start) => Date.parse(start));
  const steps = Map.groupBy(changes, ({ Time }) => stepAt(startsMs, Date.parse(Time)));
  steps.delete(-1);
  const width = steps.size > marksMax ? Math.ceil(starts.length / marksMax) : 1;
  const clusters = Map.groupBy(
    steps
      .keys()
      .toArray()
      .toSorted((one, other) => one - other),
    (step) => Math.floor(step / width),
  );
  return [...clusters.values()].map((of, place) => ({
    letter: letters[place] ?? '',
    index: of[0] ?? 0,
    changes: of.toReversed().flatMap((step) => steps.get(step) ?? []),
  }));
}

/** When the last step of time ends, as far as the others tell how long it is. */
export function endOf(starts: readonly string[]): string | undefined {
  const [last, before] = [starts.at(-1), starts.at(-2)];
  if (last === undefined) return undefined;
  const lengthMs = before === undefined ? 31 * 86_400_000 : Date.parse(last) - Date.parse(before);
  // A day that clocks are set back, or a long month: what is after the end is marked nowhere.
  return new Date(Date.parse(last) + lengthMs * 1.1).toJSON();
}
