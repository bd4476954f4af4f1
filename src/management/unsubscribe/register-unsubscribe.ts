import type { FastifyInstance, FastifyRequest } from 'fastify';
import { entityOf } from '../../entities/registry.ts';
import type { Store, StoredObject } from '../../store/interface.ts';
import type { Answer } from '../context.ts';
import { anyone } from '../endpoint/access.ts';
import { bytesBody } from '../endpoint/body.ts';
import { send } from '../http/send.ts';
import { onOneLine } from '../message.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { type Subscription, subscriptionOf } from './unsubscribe-token.ts';

const report = entityOf('Report');
const bodyBytesMax = 4096;

const mailsOf = ({ document }: StoredObject) => (document.Mails ?? []) as readonly string[];
const isOn = (object: StoredObject | undefined, { address }: Subscription): object is StoredObject =>
  object !== undefined && mailsOf(object).includes(address);

/** Ends the schedule too, if nobody is left. The history names the program itself. */
const takeOff = (store: Store, { teamId, reportId, address }: Subscription): Promise<void> =>
  store.write({ teamId, userId: 0 }, async (transaction) => {
    const current = await transaction.find(report, reportId);
    if (!current || !mailsOf(current).includes(address)) return;
    const Mails = mailsOf(current).filter((mail) => mail !== address);
    const isLast = Mails.length === 0 && !current.document.WebhookUrl;
    const document = { Mails, ...(isLast && { Schedule: 0 }) };
    await transaction.update(report, current, { document, connections: {} });
  });

const unknown = (): Answer =>
  unsubscribePage({
    status: 404,
    title: 'This link does not work',
    lines: ['It was not made here, or is incomplete: copy all of it from the mail.'],
  });

const off = ({ address }: Subscription): Answer =>
  unsubscribePage({
    title: 'You are off the list',
    lines: [
      `${address} will no longer receive this report. The owner of the report can add the address again.`,
    ],
  });

/** Without logging in; a GET changes nothing. */
export function registerUnsubscribe(app: FastifyInstance, { store }: { readonly store: Store }): void {
  const subscription = async ({ query }: FastifyRequest) => {
    const { token } = query as Readonly<Record<string, unknown>>;
    return typeof token === 'string' ? subscriptionOf(store, token) : undefined;
  };
  const find = ({ teamId, reportId }: Subscription) => store.find(report, teamId, { id: reportId });
  const config = { access: anyone, accepts: { ...bytesBody(bodyBytesMax), isOptional: true } };
  app.get('/unsubscribe', { config: { access: anyone }, exposeHeadRoute: false }, async (request, reply) => {
    const wanted = await subscription(request);
    if (!wanted) return send(reply, unknown());
    const object = await find(wanted);
    if (!isOn(object, wanted)) return send(reply, off(wanted));
    const line = `${wanted.address} receives the report "${onOneLine(String(object.document.Name))}".`;
    const page = { title: 'Stop this report?', lines: [line], button: 'Stop sending it to me' };
    return send(reply, unsubscribePage(page));
  });
  app.post('/unsubscribe', { config, bodyLimit: bodyBytesMax }, async (request, reply) => {
    const wanted = await subscription(request);
    if (!wanted) return send(reply, unknown());
    // Most repeats find nothing to change: they wait for no writer.
    if (isOn(await find(wanted), wanted)) await takeOff(store, wanted);
    return send(reply, off(wanted));
  });
}
