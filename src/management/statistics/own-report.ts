import { type Fault, pathOf, Refusal } from '../../fields/fault.ts';
import { hasRight } from '../../identity/roles.ts';
import type { QuestionOwner } from '../../reference/partner-kinds.ts';
import type { IdentityStore, User } from '../../store/identity/interface.ts';
import type { Store, StoredObject, Values } from '../../store/interface.ts';
import type { Destination } from '../../store/sending/interface.ts';
import { hiddenRowFaults } from './hidden-rows.ts';
import type { SentReport } from './report-question.ts';

type Owner = Pick<User, 'teamId' | 'mail' | 'role' | 'partner'>;

/** 0 = the team's. */
export const ownerIdOf = ({ document }: Pick<StoredObject, 'document'>): number =>
  Number(document.UserId ?? 0);

const lower = (mail: string) => mail.toLowerCase();

/** In lower case; undefined = any. Who may not change the team's data may not mail strangers in our name either. */
async function allowedMails(
  { users }: Pick<IdentityStore, 'users'>,
  { teamId, mail, role, partner }: Owner,
): Promise<ReadonlySet<string> | undefined> {
  if (hasRight(role, 'write')) return undefined;
  if (partner || !hasRight(role, 'read')) return new Set([lower(mail)]);
  const team = (await users(teamId)).filter((user) => user.status === 0 && hasRight(user.role, 'read'));
  return new Set(team.map((user) => lower(user.mail)));
}

/** Faults' paths begin with `at`. */
export async function ownReportFaults(
  identity: Pick<IdentityStore, 'users'>,
  owner: Owner,
  values: Values,
  at: string,
): Promise<Fault[]> {
  const mails = await allowedMails(identity, owner);
  const sent = (values.Mails ?? []) as readonly string[];
  const strangers = sent.flatMap((mail, index): Fault[] => {
    if (!mails || mails.has(lower(mail))) return [];
    const Message = owner.partner
      ? `may only be your own address, ${owner.mail}`
      : 'may only be the address of a user of your team whose role can read';
    return [{ Path: pathOf(at, 'Mails', index), Code: 'wrong_state', Message }];
  });
  const Message =
    'is only for users who may change the team’s data; leave it out and have the report sent by mail';
  const isCalled = mails !== undefined && Boolean(values.WebhookUrl);
  const webhook: Fault[] = isCalled ? [{ Path: pathOf(at, 'WebhookUrl'), Code: 'wrong_state', Message }] : [];
  const unseen = owner.partner
    ? hiddenRowFaults({ Measures: [], ...(values as Partial<SentReport>) }, owner.partner, [at])
    : [];
  return [...unseen, ...strangers, ...webhook];
}

/** Undefined for the team. Refuses if the report's user may no longer ask for it or send it there. */
export async function assertStillOwn(
  { identity }: Pick<Store, 'identity'>,
  report: Pick<StoredObject, 'document' | 'teamId'>,
  { channel, target }: Destination,
): Promise<QuestionOwner | undefined> {
  const userId = ownerIdOf(report);
  if (userId === 0) return undefined;
  const user = await identity.user(userId);
  if (user?.teamId !== report.teamId || user.status !== 0) {
    throw new Refusal('forbidden', 'the user who owns the report is no longer active');
  }
  if (!hasRight(user.role, 'read') && !user.partner) {
    throw new Refusal('forbidden', 'the user who owns the report belongs to no publisher or advertiser');
  }
  const now = {
    ...report.document,
    ...(channel === 'mail' ? { Mails: [target], WebhookUrl: '' } : { Mails: [], WebhookUrl: target }),
  };
  const [fault] = await ownReportFaults(identity, user, now, 'Report');
  if (fault) throw new Refusal('forbidden', `${fault.Path} ${fault.Message}`);
  return user.partner;
}
