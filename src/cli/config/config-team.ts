import type { Command } from 'commander';
import type { Actor, Store } from '../../store/interface.ts';
import { teamId } from '../people/team-id.ts';

export interface TeamOptions {
  readonly team?: number;
  readonly mail?: string;
}

export function withTeamOptions(command: Command): Command {
  return command
    .option('--team <id>', 'ID of the team (default: the only one, or that of the user)', teamId)
    .option(
      '--mail <mail>',
      'user on whose behalf it is done: the manager of accounts that name none (default: the program itself)',
    );
}

/** Rejects if there is no such team, or if several could be meant. */
export async function actorFor({ identity }: Store, { team, mail }: TeamOptions): Promise<Actor> {
  const user = mail === undefined ? undefined : await identity.userByMail(mail);
  if (mail !== undefined && !user) throw new Error(`${mail} is no user's mail address`);
  if (user && team !== undefined && user.teamId !== team)
    throw new Error(`${mail} is no user of team ${team}`);
  if (user) return { teamId: user.teamId, userId: user.id };
  const teams = await identity.teams();
  const chosen = team === undefined ? teams : teams.filter(({ id }) => id === team);
  const [first, second] = chosen;
  if (team !== undefined && !first)
    throw new Error(`Team ${team} is not found; add one by \`bourse team add\``);
  if (!first)
    throw new Error('There is no team yet; the first `bourse serve` makes one, or `bourse team add`');
  if (second) throw new Error(`There are ${teams.length} teams; name one by --team <id>`);
  return { teamId: first.id, userId: 0 };
}
