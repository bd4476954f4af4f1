import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { hasRight } from '../../identity/roles.ts';
import type { Message } from '../../shared/message.ts';
import type { User } from '../../store/identity/interface.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { NewSendings, Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { hasDestination, onOneLine } from '../message.ts';
import { ownerIdOf } from './own-report.ts';
import { reportLink } from './report-link.ts';

const passing: ReadonlySet<unknown> = new Set(['too_many', 'unavailable']);
/** If nobody owns the report. */
const toldMax = 20;
/** Last sendings among which the failed one is looked for. */
const sendingsRead = 200;

/** Whether each attempt would fail again: the question itself is refused. */
export const isFinalFault = (fault: unknown): boolean => fault instanceof Refusal && !passing.has(fault.code);

/** The newest first. */
async function changersOf(
  { store }: Pick<Context, 'store'>,
  { id, teamId }: StoredObject,
): Promise<number[]> {
  const changes = await store.changes(teamId, { entity: 'Report', id, newestFirst: true }, sendingsRead);
  return [...new Set(changes.map(({ userId }) => userId))];
}

/** A user's own report: that user; a team's: the last active user who changed it, else those who may. */
async function ownersOf(context: Pick<Context, 'store'>, report: StoredObject): Promise<readonly User[]> {
  const { identity } = context.store;
  const ownerId = ownerIdOf(report);
  const isActive = (user: User | undefined) => user?.status === 0 && user.teamId === report.teamId;
  if (ownerId !== 0) {
    const owner = await identity.user(ownerId);
    return owner && isActive(owner) ? [owner] : [];
  }
  const writers = (await identity.users(report.teamId)).filter(
    (user) => isActive(user) && hasRight(user.role, 'write'),
  );
  for (const id of await changersOf(context, report)) {
    const last = writers.find((user) => user.id === id);
    if (last) return [last];
  }
  return writers.slice(0, toldMax);
}

/** The owner is told once for each due time. */
export async function failureNotice(
  context: Pick<Context, 'store'>,
  sending: Sending,
): Promise<NewSendings | undefined> {
  if (sending.entity !== 'Report') return undefined;
  const { teamId, objectId, dueMs } = sending;
  const report = await context.store.find(entityOf('Report'), teamId, { id: objectId });
  if (!report || !hasDestination(report, sending)) return undefined;
  const owners = await ownersOf(context, report);
  const to = owners.map(({ mail }) => ({ channel: 'mail', target: mail }) as const);
  return { teamId, entity: 'ReportFailure', objectId, dueMs, to };
}

/** Which report was not sent, why, and what to do. Rejects with a `Refusal` if the report is gone. */
export async function writeReportFailure(
  { store, consoleUrl }: Pick<Context, 'store'> & { readonly consoleUrl: () => string },
  { teamId, objectId, dueMs, target }: Sending,
): Promise<Message> {
  const report = await store.find(entityOf('Report'), teamId, { id: objectId });
  if (!report) throw new Refusal('invalid', 'the report no longer exists');
  const owner = (await ownersOf({ store }, report)).find(({ mail }) => mail === target);
  if (!owner) {
    throw new Refusal('invalid', 'the user no longer owns the report');
  }
  const all = await store.sending.ofTeam(teamId, { entity: 'Report', objectId }, sendingsRead);
  const failed = all.filter((one) => one.dueMs === dueMs && one.error !== '');
  const reasons = [...new Set(failed.map(({ error }) => error))].map((error) => `- ${onOneLine(error)}`);
  const missed = failed.map((one) => onOneLine(one.target));
  const name = onOneLine(String(report.document.Name));
  const text = `The report "${name}" (Report ${objectId}) of ${new Date(dueMs).toISOString().slice(0, 16).replace('T', ' ')} UTC was not sent to ${missed.join(', ')}:

${reasons.join('\n')}

It is not tried again for this time; the next one is sent on schedule. Change the report here, or run it
yourself; its sendings are shown there, too:
${reportLink(consoleUrl(), report, owner.partner !== undefined)}

You get this mail because the report is yours, or you were the last to change it.
`;
  return { subject: `Report not sent: ${name}`, text, file: undefined, body: '', secrets: [] };
}
