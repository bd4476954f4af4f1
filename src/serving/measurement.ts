import type { Store } from '../store/interface.ts';

/** How soon this thread notices what administrators have set. */
const noticeMs = 1000;

/** Watches the URLs of teams' third-party measurement. Rejects if they cannot be read now; later failures change nothing. */
export async function watchMeasurement({ identity }: Pick<Store, 'identity'>) {
  let settings = await identity.allTeamSettings();
  const look = async () => {
    settings = await identity.allTeamSettings();
  };
  const timer = setInterval(() => look().catch(() => undefined), noticeMs).unref();
  return {
    /** The URL of a team, with its macros; `""` = none. */
    urlOf: (teamId: number): string => settings.get(teamId)?.measurementUrl ?? '',
    close: () => clearInterval(timer),
  };
}
