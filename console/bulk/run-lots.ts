import type { Fault } from '../../src/answers/failure.ts';
import type { BatchAnswer, ManyChange, ObjectChange } from '../api/batch.ts';

/** One lot is one request, and one transaction. */
export const changesPerLot = 250;

/** What a change did, or why it was refused. */
export interface ChangeResult {
  readonly change: ManyChange;
  readonly row?: ObjectChange;
  readonly faults?: readonly Fault[];
}

/** The answer's rows are those of the changes that were not refused, in their order. */
function resultsOf(lot: readonly ManyChange[], { Changes, Refused = [] }: BatchAnswer): ChangeResult[] {
  const refused = new Map(Refused.map(({ Change, Errors }) => [Change, Errors]));
  const rows = Changes.values();
  return lot.map((change, index) => {
    const faults = refused.get(index);
    const row = faults ? undefined : rows.next().value;
    return { change, ...(faults && { faults }), ...(row && { row }) };
  });
}

interface LotOptions {
  /** Sends a lot; `from`: the place of its first change, by which a repetition is known. */
  readonly send: (lot: readonly ManyChange[], from: number) => Promise<BatchAnswer>;
  /** Results of all lots until now. */
  readonly onProgress: (results: readonly ChangeResult[]) => void;
  readonly isStopped: () => boolean;
}

/**
 * Goes on behind the results that are there, lot by lot, until all is sent or it is stopped. A lot that fails rejects;
 * those before it have been reported, and it can be sent again.
 */
export async function runLots(
  changes: readonly ManyChange[],
  before: readonly ChangeResult[],
  { send, onProgress, isStopped }: LotOptions,
): Promise<readonly ChangeResult[]> {
  let results = before;
  while (results.length < changes.length && !isStopped()) {
    const from = results.length;
    const lot = changes.slice(from, from + changesPerLot);
    results = [...results, ...resultsOf(lot, await send(lot, from))];
    onProgress(results);
  }
  return results;
}
