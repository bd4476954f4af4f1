import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: true;
}

export function withPasswordOptions(command: Command): Command {
  return command
    .option('--password <password>', 'the password; other users of this machine may see it, so prefer:')
    .addOption(new Option('--password-stdin', 'read the password from standard input').conflicts('password'));
}

/** Without the end of its line; undefined if none is given. */
export async function givenPassword({
  password,
  passwordStdin,
}: PasswordOptions): Promise<string | undefined> {
  return passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : password;
}

/** Fails the command if none is given. */
export async function requiredPassword(options: PasswordOptions, command: Command): Promise<string> {
  const password = await givenPassword(options);
  return password ?? command.error('error: pass --password-stdin or --password <password>');
}
