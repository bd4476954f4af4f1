import type { Store } from '../../store/interface.ts';

/** The revision of a team's last change before a time, by binary search in the log up to `last`; 0 if there is none. */
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
