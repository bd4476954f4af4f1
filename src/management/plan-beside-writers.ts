import type { Actor, Store } from '../store/interface.ts';
import type { PlanEntry } from './config/plan.ts';
import type { Prepared } from './config/prepare.ts';
import { readAtOnce } from './config/team-objects.ts';

/**
 * What a document would change, as of one moment, without keeping writers waiting. Refuses with `invalid` and all
 * faults of the document.
 */
export async function planBesideWriters(
  store: Store,
  { teamId }: Actor,
  { plan }: Pick<Prepared, 'plan'>,
): Promise<readonly PlanEntry[]> {
  const reads = store.reads(teamId);
  // A plan writes nothing: reads are all it needs. A refusal too counts only if it is of one moment.
  const [outcome] = await readAtOnce(store, teamId, (source) =>
    Promise.allSettled([plan({ ...reads, ...source })]),
  );
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
