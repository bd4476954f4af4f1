import { setImmediate as turn } from 'node:timers/promises';
import type { ChangeFilter, ChangeRecord, Store } from '../../store/interface.ts';

/** Other work runs between two pages. */
const changesPerPage = 100;

export interface ChangesPage {
  readonly changes: readonly ChangeRecord[];
  /** Before all of them; known only in the last page. */
  readonly previous: ChangeRecord | undefined;
}

/** Newest first: an unbroken end of the log, even if clocks differ (reference, H8). */
export async function* changesSince(
  store: Pick<Store, 'changes'>,
  teamId: number,
  filter: Pick<ChangeFilter, 'entity' | 'id' | 'ownerId' | 'formerOwnerId'> & {
    readonly upToRevision: number;
  },
  atMs: number,
): AsyncGenerator<ChangesPage> {
  let { upToRevision } = filter;
  for (;;) {
    const page = await store.changes(teamId, { ...filter, upToRevision, newestFirst: true }, changesPerPage);
    const end = page.findIndex(({ timeMs }) => timeMs <= atMs);
    yield { changes: end === -1 ? page : page.slice(0, end), previous: page[end] };
    if (end !== -1 || page.length < changesPerPage) return;
    upToRevision = (page.at(-1)?.revision ?? 1) - 1;
    await turn();
  }
}
