import type { Command } from 'commander';
import type { Actor, Store } from '../../store/interface.ts';
import { teamId } from '../people/team-id.ts';

export interface TeamOptions {
  readonly team?: number;
  readonly mail?: string;
}

export function withTeamOptions(command: Command): Command {
  return command
    .option('--team <id>', "ID of the team (default: the only one, or the user's)", teamId)
    .option(
      '--mail <mail>',
      'user on whose behalf it is done; becomes the manager of accounts that name no manager (default: the program itself)',
    );
}

/** Rejects if there is no such team, or if several could be meant. */
export async function actorFor({ identity }: Store, { team, mail }: TeamOptions): Promise<Actor> {
  const user = mail === undefined ? undefined : await identity.userByMail(mail);
  if (mail !== undefined && !user) throw new Error(`${mail} is not the mail address of a user`);
  if (user && team !== undefined && user.teamId !== team)
    throw new Error(`${mail} is not a user of team ${team}`);
  if (user) return { teamId: user.teamId, userId: user.id };
  const teams = await identity.teams();
  const chosen = team === undefined ? teams : teams.filter(({ id }) => id === team);
  const [first, second] = chosen;
  if (team !== undefined && !first)
    throw new Error(`Team ${team} is not found; add one with \`bourse team add\``);
  if (!first) throw new Error('There is no team yet; run `bourse serve` or `bourse team add` to create one');
  if (second) throw new Error(`There are ${teams.length} teams; choose one with --team <id>`);
  return { teamId: first.id, userId: 0 };
}
