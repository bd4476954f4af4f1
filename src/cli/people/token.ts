import type { Command } from 'commander';
import { withIdentity } from './with-identity.ts';

async function issue({ mail }: { mail: string }): Promise<void> {
  const { accessToken } = await withIdentity((identity) => identity.issueToken(mail));
  console.log(accessToken);
}

/** Without a password, for whoever may read the database. */
export function token(program: Command): void {
  const command = program.command('token').description('access tokens');
  command
    .command('issue')
    .description('print an access token for a user, valid for an hour, and nothing else')
    .requiredOption('--mail <mail>', 'e-mail address of the user')
    .action(issue);
}
