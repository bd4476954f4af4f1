import { isDeepStrictEqual } from 'node:util';
import { defaultTeamSettings, type TeamSettings } from '../entities/team-settings.ts';
import { type Team, teamOf } from '../exchange/team.ts';
import type { Store } from '../store/interface.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { watchForAll } from '../threads/watched.ts';

interface CompiledTeam {
  readonly settings: TeamSettings;
  readonly team: Team;
}

/** Rejects if they cannot be read now; later failures change nothing. */
export async function watchTeams(
  { identity }: { readonly identity: Pick<Store['identity'], 'allTeamSettings'> },
  threadGroup: NumberedThread,
) {
  const unset = teamOf(defaultTeamSettings);
  let teams: ReadonlyMap<number, CompiledTeam> = new Map();
  const compiled = (id: number, settings: TeamSettings): CompiledTeam => {
    const known = teams.get(id);
    return known && isDeepStrictEqual(known.settings, settings)
      ? known
      : { settings, team: teamOf(settings) };
  };
  const close = await watchForAll(threadGroup, 'teams', identity.allTeamSettings, (read) => {
    teams = new Map([...read].map(([id, settings]) => [id, compiled(id, settings)]));
  });
  return {
    of: (id: number): Team => teams.get(id)?.team ?? unset,
    close,
  };
}
