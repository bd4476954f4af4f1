import type { Store } from '../../store/interface.ts';

/**
 * The last revision up to which a team's changes were made before a time, found by halving the log up to `last`.
 * Exact where times rise with the revisions.
 */
export async function revisionAt(
  store: Pick<Store, 'changes'>,
  teamId: number,
  timeMs: number,
  last: number,
): Promise<number> {
  let from = 0;
  let to = last;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const [next] = await store.changes(teamId, { afterRevision: middle, upToRevision: to }, 1);
    if (next && next.timeMs < timeMs) from = next.revision;
    else to = middle;
  }
  return from;
}
