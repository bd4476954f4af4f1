import { Type } from 'typebox';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { intMax } from '../../fields/number.ts';
import type { StoredFinding } from '../../store/alerts/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint, type Tag } from '../endpoint/endpoint.ts';
import { number } from '../endpoint/parameter.ts';
import { notFoundFault } from '../post-answer.ts';
import { findingSchema, shownFinding } from './shown-finding.ts';

export const alertsTag: Tag = {
  name: 'Alerts',
  description: 'What alerts have found, and to whom they sent it.',
};

const findingsMax = 500;

export const exampleFinding: StoredFinding = {
  findingId: 12,
  alertId: 7,
  kind: 'DspRtbEp',
  id: 3,
  name: 'North DSP',
  detail: '',
  rule: 'For each demand object: the timeout rate is above 40 % over 30 minutes, if there are at least 100 calls. It fires once that has lasted 5 minutes, and ends once it has been over for 5 minutes.',
  heldSinceMs: 1_801_483_200_000,
  beganMs: 1_801_483_500_000,
  clearedSinceMs: undefined,
  endedMs: 1_801_487_100_000,
  ending: 'over',
  firstValue: 61.5,
  compared: null,
  lastValue: 12,
};

export const alertLog = defineEndpoint({
  method: 'GET',
  path: '/api/alert/log',
  name: 'getAlertLog',
  tag: alertsTag,
  summary: 'Fetch what alerts have found',
  description: `The last ${findingsMax} times that the team's Alerts, or one of them, fired, newest first: for which object, from when, with which figure, and when it ended.`,
  access: reader,
  parameters: {
    Id: number({ help: 'Only entries of this Alert', max: intMax }),
    FiringOnly: number({ help: '1 = only what is firing now', max: 1 }),
    BeforeId: number({
      help: 'Only entries before this one, to continue reading',
      max: Number.MAX_SAFE_INTEGER,
    }),
  },
  returns: {
    description: 'The entries',
    schema: Type.Array(findingSchema),
    example: () => [shownFinding(exampleFinding)],
  },
  serve:
    ({ store }) =>
    async ({ caller: { teamId }, parameters: { Id = 0, FiringOnly = 0, BeforeId = 0 } }) => {
      const entity = entityOf('Alert');
      if (Id > 0 && !(await store.find(entity, teamId, { id: Id }))) {
        throw invalid([{ ...notFoundFault(entity, Id), Path: 'Id' }]);
      }
      const filter = {
        alertId: Id || undefined,
        isFiring: FiringOnly === 1,
        beforeId: BeforeId || undefined,
      };
      const findings = await store.alerts.findings(teamId, filter, findingsMax);
      return { body: JSON.stringify(findings.map(shownFinding)) };
    },
});
