import type { Store } from '../store/interface.ts';
import type { ThreadGroup } from './thread-group.ts';
import { watchForAll } from './watched.ts';

type Settings = Awaited<ReturnType<Store['identity']['allTeamSettings']>>;

/** Rejects if they cannot be read now; later failures change nothing. */
export async function watchMeasurement(
  { identity }: { readonly identity: Pick<Store['identity'], 'allTeamSettings'> },
  threadGroup: Pick<ThreadGroup, 'number' | 'channel'>,
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
