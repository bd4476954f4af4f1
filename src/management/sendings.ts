import { Type } from 'typebox';
import { closedObject, labelled } from '../answers/wire-schema.ts';
import { entityOf } from '../entities/registry.ts';
import { invalid } from '../fields/fault.ts';
import { intMax } from '../fields/number.ts';
import type { SenderKind, Sending } from '../store/sending/interface.ts';
import { alertsTag } from './alerts/alert-log.ts';
import { reader } from './endpoint/access.ts';
import { defineEndpoint, type Tag } from './endpoint/endpoint.ts';
import { number } from './endpoint/parameter.ts';
import { operationOn } from './operations/entity-operation.ts';
import { notFoundFault } from './post-answer.ts';
import { reportsTag } from './statistics/ask-report.ts';

export const sendingsMax = 200;
const time = (description: string) => Type.String({ description });
const shownTime = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString());

/** In the endpoint's words. */
interface Senders {
  readonly entity: SenderKind;
  readonly member: 'ReportId' | 'AlertId' | 'DealId';
  /** Field with the URL. */
  readonly url: 'WebhookUrl' | 'PushUrl';
  readonly tag: Tag;
  readonly each: string;
  /** A further sentence. */
  readonly more?: string;
}

const sendingSchema = ({ entity, member, url }: Senders) =>
  closedObject({
    Id: Type.Integer({ description: 'ID of the sending' }),
    [member]: Type.Integer({ description: `ID of the ${entity.toLowerCase()}` }),
    Channel: labelled({ mail: 'By mail', webhook: `As a POST to ${url}` }, 'How'),
    To: Type.String({ description: 'Address, or URL' }),
    Due: time('The time for which it is sent, UTC'),
    State: labelled(
      { waiting: 'Being sent, or waiting to be tried again', sent: 'Delivered', failed: 'Given up' },
      'The state of the sending',
    ),
    Attempts: Type.Integer({ description: 'Completed attempts' }),
    LastAttempt: time('When the last attempt ended; "" if there was none'),
    NextAttempt: time('When it is tried next, at the earliest; "" if it is not'),
    Error: Type.String({
      description: 'Why the last attempt failed, or what is wrong with the answer; "" if nothing is',
    }),
  });

const shownBy =
  ({ member }: Senders) =>
  ({ id, objectId, channel, target, dueMs, state, attempts, lastMs, nextMs, error }: Sending) => ({
    Id: id,
    [member]: objectId,
    Channel: channel,
    To: target,
    Due: shownTime(dueMs),
    State: state,
    Attempts: attempts,
    LastAttempt: shownTime(lastMs),
    NextAttempt: state === 'waiting' ? shownTime(nextMs) : '',
    Error: error,
  });

const example = {
  ...({ id: 12, teamId: 1, objectId: 7, channel: 'mail', target: 'desk@example.com' } as const),
  ...({ dueMs: 1_801_483_200_000, state: 'sent', attempts: 1, error: '', result: '' } as const),
  lastMs: 1_801_483_204_000,
  nextMs: 1_801_483_204_000,
};

export function sendingAnswer(senders: Senders) {
  const shown = shownBy(senders);
  return {
    returns: {
      description: 'The sendings',
      schema: Type.Array(sendingSchema(senders)),
      example: () => [shown({ ...example, entity: senders.entity })],
    },
    body: (sendings: readonly Sending[]) => JSON.stringify(sendings.map(shown)),
  };
}

function sendingsOf(senders: Senders) {
  const { entity: key, tag, each, more = '' } = senders;
  const entity = entityOf(key);
  const { returns, body } = sendingAnswer(senders);
  return defineEndpoint({
    method: 'GET',
    path: `/api/${entity.path}/sendings`,
    name: `get${key}Sendings`,
    tag,
    summary: `Fetch the sendings of ${key.toLowerCase()}s`,
    description: `The last ${sendingsMax} sendings of the team's ${key}s, or of one of them, newest first: one for each address and URL ${each}. A sending that fails is tried again after 1, 5, 15 minutes, 1, 3, 6 and 12 hours, and is then given up; one that the exchange cannot answer with the present settings is given up at once.${more}`,
    access: reader,
    parameters: { Id: number({ help: `Only sendings of this ${key}`, max: intMax }) },
    returns,
    serve:
      ({ store }) =>
      async ({ caller: { teamId }, parameters: { Id = 0 } }) => {
        if (Id > 0 && !(await store.find(entity, teamId, { id: Id })))
          throw invalid([{ ...notFoundFault(entity, Id), Path: 'Id' }]);
        const of = { entity: key, ...(Id > 0 && { objectId: Id }) };
        return { body: body(await store.sending.ofTeam(teamId, of, sendingsMax)) };
      },
  });
}

export const reportSenders: Senders = {
  entity: 'Report',
  member: 'ReportId',
  url: 'WebhookUrl',
  tag: reportsTag,
  each: 'at each time of its Schedule',
  more: ' When a sending is given up, the owner is told by mail: the user whose own report it is, or the last one who changed it.',
};

export const sendingEndpoints = [
  sendingsOf(reportSenders),
  sendingsOf({
    entity: 'Alert',
    member: 'AlertId',
    url: 'WebhookUrl',
    tag: alertsTag,
    each: 'for each minute in which something began or ended',
  }),
  sendingsOf({
    entity: 'Deal',
    member: 'DealId',
    url: 'PushUrl',
    tag: operationOn(entityOf('Deal'), 'push').tag,
    each: 'for each push',
    more: ' Each attempt sends the deal as it is then. URLs are shown without their query.',
  }),
];
