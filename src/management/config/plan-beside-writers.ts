import type { Actor, Store } from '../../store/interface.ts';
import type { PlanEntry } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { readAtOnce } from './team-objects.ts';

/**
 * What a document would change, as of one moment, without keeping writers waiting. Refuses with `invalid` and all
 * faults of the document.
 */
export async function planBesideWriters(
  store: Store,
  { teamId }: Actor,
  { plan }: Pick<Prepared, 'plan'>,
): Promise<readonly PlanEntry[]> {
  // A refusal, too, counts only if the team has not changed while it was found.
  const [outcome] = await readAtOnce(store, teamId, (reads) => Promise.allSettled([plan(reads)]));
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
