import { Command } from 'commander';
import { programVersion } from '../program-version.ts';
import { apply, plan } from './config/config-command.ts';
import { exportCommand } from './config/export.ts';
import { floors } from './config/floors.ts';
import { backup } from './database/backup.ts';
import { migrate } from './database/migrate.ts';
import { restore } from './database/restore.ts';
import { demo } from './demo/demo.ts';
import { keys } from './keys.ts';
import { edge } from './people/edge.ts';
import { team } from './people/team.ts';
import { token } from './people/token.ts';
import { user } from './people/user.ts';
import { serve } from './serve.ts';
import { simulate } from './simulate.ts';

/** Each loads its modules only when it runs, so that `serve` starts quickly. */
const commands = [
  serve,
  team,
  user,
  token,
  edge,
  keys,
  demo,
  simulate,
  exportCommand,
  floors,
  plan,
  apply,
  migrate,
  backup,
  restore,
];

export function createProgram(): Command {
  const program = new Command('bourse')
    .description('Bourse, an open advertising exchange')
    .version(programVersion(), '--version', 'print the version')
    .showHelpAfterError()
    .showSuggestionAfterError();
  for (const add of commands) add(program);
  return program;
}
