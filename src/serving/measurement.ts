import type { Store } from '../store/interface.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { watchForAll } from '../threads/watched.ts';

type Settings = Awaited<ReturnType<Store['identity']['allTeamSettings']>>;

/** Rejects if they cannot be read now; later failures change nothing. */
export async function watchMeasurement(
  { identity }: { readonly identity: Pick<Store['identity'], 'allTeamSettings'> },
  threadGroup: NumberedThread,
) {
  let settings: Settings = new Map();
  const close = await watchForAll(threadGroup, 'measurement', identity.allTeamSettings, (read) => {
    settings = read;
  });
  return {
    /** Macros not filled; `""` = none. */
    urlOf: (teamId: number): string => settings.get(teamId)?.measurementUrl ?? '',
    close,
  };
}
