import { Type } from 'typebox';
import { closedObject, okStatus, succeeded } from '../../answers/wire-schema.ts';
import { invalid } from '../../fields/fault.ts';
import type { Acknowledgement, AlertStore, StoredFinding } from '../../store/alerts/interface.ts';
import { tester } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { alertsTag, exampleFinding } from './alert-log.ts';
import { findingSchema, shownFinding } from './shown-finding.ts';

const textMax = 1000;
const nameMax = 200;

const example: StoredFinding = {
  ...exampleFinding,
  endedMs: undefined,
  ending: '',
  acknowledgedMs: 1_801_484_000_000,
  acknowledgedBy: 'Ada Byron',
  note: 'Called the partner, back by noon',
};

/** As it would be after acknowledging. */
async function wouldBe(
  alerts: Pick<AlertStore, 'findings'>,
  { teamId, findingId, by, note, atMs }: Acknowledgement,
): Promise<StoredFinding | undefined> {
  const [last] = await alerts.findings(teamId, { beforeId: findingId + 1 }, 1);
  if (last?.findingId !== findingId) return undefined;
  return { ...last, acknowledgedMs: atMs, acknowledgedBy: by, note };
}

export const acknowledgeAlert = defineEndpoint({
  method: 'POST',
  path: '/api/alert/acknowledge',
  name: 'acknowledgeAlert',
  tag: alertsTag,
  summary: 'Acknowledge what an alert has found',
  description:
    'Records that somebody is taking care of what an Alert has found, which stops its reminders (`RemindMinutes`). The alert continues to fire, and its end is still sent. Acknowledging it again replaces the name and the note.',
  access: tester,
  accepts: checkedBody({
    schema: closedObject({
      Id: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'ID of the entry of the log',
      }),
      Name: Type.Optional(
        Type.String({
          maxLength: nameMax,
          description: 'Who is taking care of it; absent or "" = the user who calls',
        }),
      ),
      Note: Type.Optional(Type.String({ maxLength: textMax, description: 'A note for others' })),
    }),
    example: () => ({ Id: 12, Note: 'Called the partner, back by noon' }),
  }),
  returns: {
    description: 'The entry',
    schema: closedObject({ Status: okStatus, Finding: findingSchema }),
    example: () => ({ ...succeeded, Finding: shownFinding(example) }),
  },
  serve:
    ({ store, now }) =>
    async ({ caller: { teamId, userId }, body: { Id, Name = '', Note: note = '' }, isDryRun }) => {
      const user = Name === '' ? await store.identity.user(userId) : undefined;
      const by = Name || (user && (`${user.firstName} ${user.lastName}`.trim() || user.mail)) || '';
      const acknowledgement = { teamId, findingId: Id, by, note, atMs: now() };
      const finding = isDryRun
        ? await wouldBe(store.alerts, acknowledgement)
        : await store.alerts.acknowledge(acknowledgement);
      if (!finding) {
        throw invalid([
          { Path: 'Id', Code: 'not_found', Message: `is not the ID of an entry of the log (${Id})` },
        ]);
      }
      return { body: JSON.stringify({ ...succeeded, Finding: shownFinding(finding) }) };
    },
});
