import { Command } from 'commander';
import { ConfigurationError } from '../config.ts';
import { programVersion } from '../program-version.ts';
import { apply, plan } from './config/config-command.ts';
import { exportCommand } from './config/export.ts';
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
import { tolerateOutputErrors } from './tolerate-output-errors.ts';

/** Every command. Each loads what it works with only when it runs, so that `serve` starts quickly. */
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
  plan,
  apply,
  migrate,
  backup,
  restore,
];

const program = new Command('bourse')
  .description('Bourse, an open advertising exchange')
  .version(programVersion(), '--version', 'print the version')
  .showHelpAfterError()
  .showSuggestionAfterError();
for (const add of commands) add(program);

/** Errors that only a bug in the program raises: whoever reports one needs to know where it happened. */
const programErrors = [TypeError, ReferenceError, RangeError, SyntaxError];

/** What a user reads of a failed command: the message, which is written for users, or the stack where it is a bug. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSlip = programErrors.some((slip) => error instanceof slip);
  return isSlip ? (error.stack ?? error.message) : error.message;
}

/** Exit code of a failed command. 78 (EX_CONFIG of sysexits.h) tells a supervisor that trying again does not help. */
const exitCodeOf = (error: unknown): number => (error instanceof ConfigurationError ? 78 : 1);

tolerateOutputErrors();
try {
  await program.parseAsync();
} catch (error) {
  console.error(failureText(error));
  process.exitCode = exitCodeOf(error);
}
