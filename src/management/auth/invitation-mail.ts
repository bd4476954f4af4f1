import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Message } from '../../shared/message.ts';
import type { User } from '../../store/identity/interface.ts';
import type { Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { onOneLine } from '../message.ts';

type MailContext = Pick<Context, 'store'> & {
  readonly identity: Pick<Identity, 'addInvitationLink'>;
  readonly consoleUrl: () => string;
};

/** `""` for users of the team itself. */
async function accountName({ store }: Pick<Context, 'store'>, { teamId, partner }: User): Promise<string> {
  if (!partner) return '';
  const account = await store.find(entityOf(partner.kind), teamId, { id: partner.id });
  return `, for the ${partner.kind.toLowerCase()} ${onOneLine(String(account?.document.Name ?? ''))}`;
}

/**
 * With a link that is made only now, so that no secret waits in the database; it replaces earlier ones. Rejects with a
 * `Refusal` if the user is gone, or has a password.
 */
export async function writeInvitation(
  { store, identity, consoleUrl }: MailContext,
  { objectId, target }: Sending,
): Promise<Message> {
  const user = await store.identity.user(objectId);
  if (user?.status !== 0 || user.mail !== target || user.passwordHash !== '') {
    throw new Refusal('invalid', 'the invitation was accepted or withdrawn');
  }
  const team = onOneLine((await store.identity.team(user.teamId))?.name ?? '');
  const text = `Hello${user.firstName && ` ${onOneLine(user.firstName)}`},

you are invited to ${team} on Bourse${await accountName({ store }, user)}.

Choose your password here, within seven days:
${consoleUrl()}/#invite=${await identity.addInvitationLink(user.id)}

The link works once, and only for you: please do not pass it on. Afterwards log in at
${consoleUrl()}
with ${target} and your password.

If you do not know what this is about, ignore this mail.
`;
  return { subject: `Invitation to ${team} on Bourse`, text, file: undefined, body: '', secrets: [] };
}
