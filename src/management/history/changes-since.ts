import { setImmediate as turn } from 'node:timers/promises';
import type { ChangeFilter, ChangeRecord, Store } from '../../store/interface.ts';

/** Changes read at a time; other work runs between two pages. */
const changesPerPage = 100;

/** A part of what was changed after a time, newest first. */
export interface ChangesPage {
  readonly changes: readonly ChangeRecord[];
  /** The last change before all of them; known only in the last part. */
  readonly previous: ChangeRecord | undefined;
}

/** A team's changes after a time, newest first: an unbroken end of the log, even where clocks differ (reference, H8). */
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
