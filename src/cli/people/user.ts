import { type Command, Option } from 'commander';
import { type PasswordOptions, requiredPassword, withPasswordOptions } from './password-options.ts';
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
  const password = await requiredPassword(options, command);
  const user = { teamId: team, mail, password, firstName, lastName, role: Number(options.role) };
  const id = await withIdentity((identity) => identity.addUser(user));
  console.log(`Added user ${id}: ${mail}`);
}

interface SetOptions extends PasswordOptions {
  readonly mail: string;
  readonly revokeKeys?: true;
}

async function setPassword(options: SetOptions, command: Command): Promise<void> {
  const { mail, revokeKeys: revokesKeys = false } = options;
  const password = await requiredPassword(options, command);
  const keys = await withIdentity((identity) => identity.setPassword(mail, password, { revokesKeys }));
  console.log(`Set the password of ${mail} and ended all sessions that used the old one`);
  if (revokesKeys) console.log(`Revoked ${keys} API ${keys === 1 ? 'key' : 'keys'} of ${mail}`);
}

async function removeTotp({ mail }: { mail: string }): Promise<void> {
  await withIdentity((identity) => identity.dropSecondFactor(mail));
  console.log(`${mail} can now log in without a second factor`);
}

export function user(program: Command): void {
  const command = program.command('user').description('users of teams');
  withPasswordOptions(
    command
      .command('add')
      .description('add a user and print its ID')
      .requiredOption('--team <id>', 'ID of the team', teamId)
      .requiredOption('--mail <mail>', 'e-mail address to log in with'),
  )
    .option('--first-name <name>', 'first name', '')
    .option('--last-name <name>', 'last name', '')
    .addOption(
      new Option('--role <role>', '0 = administrator, 1 = manager, 2 = analyst (read only)')
        .choices(['0', '1', '2'])
        .default('1'),
    )
    .action(add);
  withPasswordOptions(
    command
      .command('password')
      .description("change a user's password")
      .requiredOption('--mail <mail>', 'e-mail address of the user')
      .option('--revoke-keys', "also revoke the user's API keys, for example when somebody leaves"),
  ).action(setPassword);
  command
    .command('remove-totp')
    .description('remove the second factor of a user who has lost it')
    .requiredOption('--mail <mail>', 'e-mail address of the user')
    .action(removeTotp);
}
