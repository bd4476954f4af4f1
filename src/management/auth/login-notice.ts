import { Refusal } from '../../fields/fault.ts';
import type { Message } from '../../shared/message.ts';
import type { Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';

/** Rejects with a `Refusal` if the user is gone. */
export async function writeLoginNotice(
  { store, consoleUrl }: Pick<Context, 'store'> & { readonly consoleUrl: () => string },
  { objectId, dueMs, target }: Sending,
): Promise<Message> {
  const user = await store.identity.user(objectId);
  if (user?.status !== 0 || user.mail !== target) {
    throw new Refusal('invalid', 'the user no longer exists');
  }
  const text = `On ${new Date(dueMs).toISOString().slice(0, 10)} (UTC) somebody entered too many wrong passwords or codes for your account.

If it was you, there is nothing to do: wait as long as the login page says, and try again. Networks and browsers that
you have logged in from before are not affected.

If it was not you, none of these attempts succeeded. Choose a password that you use nowhere else, and set up a
second factor at ${consoleUrl()}

You get at most one such mail a day.
`;
  return { subject: 'Too many failed logins to your account', text, file: undefined, body: '', secrets: [] };
}
