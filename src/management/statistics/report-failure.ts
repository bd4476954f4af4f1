import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { hasRight } from '../../identity/roles.ts';
import type { User } from '../../store/identity/interface.ts';
import type { StoredObject } from '../../store/interface.ts';
import type { NewSendings, Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { hasDestination, type Message, onOneLine } from '../message.ts';
import { ownerIdOf } from './own-report.ts';
import { reportLink } from './report-link.ts';

const passing: ReadonlySet<unknown> = new Set(['too_many', 'unavailable']);
/** Most users who are told where nobody owns a report. */
const toldMax = 20;
/** Last sendings of a report among which one that failed is looked for. */
const sendingsRead = 200;

/** Whether an error in writing what is to be sent would come again with every attempt: the question itself is refused. */
export const isFinalFault = (fault: unknown): boolean => fault instanceof Refusal && !passing.has(fault.code);

/** Who last changed a report of the team, the newest first. */
async function changersOf(
  { store }: Pick<Context, 'store'>,
  { id, teamId }: StoredObject,
): Promise<number[]> {
  const changes = await store.changes(teamId, { entity: 'Report', id, newestFirst: true }, sendingsRead);
  return [...new Set(changes.map(({ userId }) => userId))];
}

/**
 * Who is told that a report could not be sent: whose own it is; of a team's report, the last active user who changed it,
 * or, where there is none, those who may change it.
 */
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

/** What is sent where a sending has failed: its report's owner is told, once for each time that it is due. */
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

/**
 * Writes what the owner of a report is told: which one was not sent, why, and what to do. Rejects with a `Refusal` where
 * it is gone.
 */
export async function writeReportFailure(
  { store, consoleUrl }: Pick<Context, 'store'> & { readonly consoleUrl: () => string },
  { teamId, objectId, dueMs, target }: Sending,
): Promise<Message> {
  const report = await store.find(entityOf('Report'), teamId, { id: objectId });
  if (!report) throw new Refusal('invalid', 'the report is not there any more');
  const owner = (await ownersOf({ store }, report)).find(({ mail }) => mail === target);
  if (!owner) {
    throw new Refusal('invalid', 'the user owns the report no longer');
  }
  const all = await store.sending.ofTeam(teamId, { entity: 'Report', objectId }, sendingsRead);
  const failed = all.filter((one) => one.dueMs === dueMs && one.error !== '');
  const reasons = [...new Set(failed.map(({ error }) => error))].map((error) => `- ${onOneLine(error)}`);
  const missed = failed.map((one) => onOneLine(one.target));
  const name = onOneLine(String(report.document.Name));
  const text = `The report "${name}" (Report ${objectId}) of ${new Date(dueMs).toISOString().slice(0, 16).replace('T', ' ')} UTC was not sent to ${missed.join(', ')}:

${reasons.join('\n')}

It is not tried again for this time; the next one is sent by its schedule. Change the report here, or ask for it
yourself; its sendings are shown there, too:
${reportLink(consoleUrl(), report, owner.partner !== undefined)}

You get this mail because the report is yours, or you were the last to change it.
`;
  return { subject: `Report not sent: ${name}`, text, file: undefined, body: '', secrets: [] };
}
