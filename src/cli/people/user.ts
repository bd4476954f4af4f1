import { type Command, Option } from 'commander';
import { type PasswordOptions, passwordFrom, withPasswordOptions } from './password-options.ts';
import { teamId } from './team-id.ts';
import { withIdentity } from './with-identity.ts';

interface AddOptions extends PasswordOptions {
  readonly team: number;
  readonly mail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string;
}

async function add(options: AddOptions, command: Command): Promise<void> {
  const { team, mail, firstName, lastName } = options;
  const password = await passwordFrom(options, command);
  const user = { teamId: team, mail, password, firstName, lastName, role: Number(options.role) };
  const id = await withIdentity((identity) => identity.addUser(user));
  console.log(`Added user ${id}: ${mail}`);
}

async function setPassword(options: PasswordOptions & { mail: string }, command: Command): Promise<void> {
  const password = await passwordFrom(options, command);
  await withIdentity((identity) => identity.setPassword(options.mail, password));
  console.log(`Set the password of ${options.mail} and ended the sessions under the old one`);
}

/** `bourse user`: the users of teams. */
export function user(program: Command): void {
  const command = program.command('user').description('users of teams');
  withPasswordOptions(
    command
      .command('add')
      .description('add a user and print the ID')
      .requiredOption('--team <id>', 'ID of the team', teamId)
      .requiredOption('--mail <mail>', 'e-mail address, to log in with'),
  )
    .option('--first-name <name>', 'first name', '')
    .option('--last-name <name>', 'last name', '')
    .addOption(
      new Option('--role <role>', '0 = administrator, 1 = manager, 2 = analyst, who only reads')
        .choices(['0', '1', '2'])
        .default('1'),
    )
    .action(add);
  withPasswordOptions(
    command
      .command('password')
      .description('give a user another password')
      .requiredOption('--mail <mail>', 'e-mail address of the user'),
  ).action(setPassword);
}
