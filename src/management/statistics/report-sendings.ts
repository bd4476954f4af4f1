import { Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { Sending } from '../../store/sending/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { closedObject, labelled } from '../endpoint/wire-schema.ts';
import { notFound } from '../post-answer.ts';
import { reportsTag } from './ask-report.ts';

/** Most sendings of an answer. */
export const sendingsMax = 200;
const time = (description: string) => Type.String({ description });
const shownTime = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString());

/** A sending as answers show it. */
export const sendingSchema = closedObject({
  Id: Type.Integer({ description: 'ID of the sending' }),
  ReportId: Type.Integer({ description: 'ID of the report' }),
  Channel: labelled({ mail: 'By mail', webhook: 'As a POST to WebhookUrl' }, 'How'),
  To: Type.String({ description: 'Address, or URL' }),
  Due: time('The time for which it is sent, UTC'),
  State: labelled(
    { waiting: 'Is sent, or tried again', sent: 'Has arrived', failed: 'Was given up' },
    'What has become of it',
  ),
  Attempts: Type.Integer({ description: 'Attempts that have ended' }),
  LastAttempt: time('When the last one ended; "" where there was none'),
  NextAttempt: time('From when it is tried next; "" where it is not'),
  Error: Type.String({ description: 'Why the last attempt failed; "" where it did not' }),
});

/** A sending as answers show it. */
export function shownSending({
  id,
  reportId,
  channel,
  target,
  dueMs,
  state,
  attempts,
  lastMs,
  nextMs,
  error,
}: Sending) {
  return {
    ...{
      Id: id,
      ReportId: reportId,
      Channel: channel,
      To: target,
      Due: shownTime(dueMs),
      State: state,
      Attempts: attempts,
    },
    ...{ LastAttempt: shownTime(lastMs), NextAttempt: state === 'waiting' ? shownTime(nextMs) : '' },
    Error: error,
  };
}

const example: Sending = {
  id: 12,
  teamId: 1,
  reportId: 7,
  channel: 'mail',
  target: 'desk@example.com',
  dueMs: 1_801_483_200_000,
  state: 'sent',
  attempts: 1,
  lastMs: 1_801_483_204_000,
  nextMs: 1_801_483_204_000,
  error: '',
};

/** A sending, in examples. */
export const sendingExample = () => shownSending(example);

/** GET /api/report/sendings: what was sent of a report, and what became of it. */
export const reportSendings = defineEndpoint({
  method: 'GET',
  path: '/api/report/sendings',
  name: 'getReportSendings',
  tag: reportsTag,
  summary: 'Fetch the sendings of reports',
  description: `The last ${sendingsMax} sendings of the team's Reports, or of one, the newest first: one for each address and URL at each time of its Schedule. One that fails is tried again after 1, 5, 15 minutes, 1, 3, 6 and 12 hours, and is then given up.`,
  access: reader,
  parameters: { Id: number({ help: 'Only sendings of that Report', max: intMax }) },
  returns: {
    description: 'The sendings',
    schema: Type.Array(sendingSchema),
    example: () => [sendingExample()],
  },
  serve:
    ({ store }) =>
    async ({ caller: { teamId }, parameters: { Id = 0 } }) => {
      const entity = entityOf('Report');
      if (Id > 0 && !(await store.find(entity, teamId, { id: Id })))
        throw invalid([{ ...notFound(entity, Id), Path: 'Id' }]);
      const sendings = await store.sending.ofTeam(teamId, Id || undefined, sendingsMax);
      return { body: JSON.stringify(sendings.map(shownSending)) };
    },
});
