import { Type } from 'typebox';
import { closedObject, labelled } from '../../answers/wire-schema.ts';
import { formats } from '../../fields/formats.ts';
import { dateOf, dayMs, dayOf } from '../../statistics/days.ts';
import type { ReportedVersion } from '../../store/reconciliation/interface.ts';
import { reader } from '../endpoint/access.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { type Parameter, text } from '../endpoint/parameter.ts';
import { reportsTag } from './ask-report.ts';
import { findObject, objectParameters } from './partner-figures.ts';

const versionsMax = 1000;
/** By default. */
const daysShown = 31;
const nanosPerUsd = 1e9;

const states = {
  reported: 'The partner reported it',
  missing: 'The partner left it out although the day was over, which counts as 0',
  withdrawn: 'The partner no longer reported it',
} as const;

const versionSchema = closedObject({
  Day: Type.String({ description: "The partner's day, for example 2027-01-31" }),
  Fetched: Type.String({
    description: 'When this was first fetched, UTC; "" = before fetches were kept',
  }),
  State: labelled(states, 'What the partner said'),
  Impressions: Type.Integer({ description: 'Impressions' }),
  Clicks: Type.Integer({ description: 'Clicks' }),
  Amount: Type.Number({ description: 'Amount, in USD' }),
});

function shown({ day, fetchedMs, isMissing, isTakenBack, impressions, clicks, nanos }: ReportedVersion) {
  const counted: keyof typeof states = isMissing ? 'missing' : 'reported';
  return {
    Day: dateOf(day),
    Fetched: fetchedMs === 0 ? '' : new Date(fetchedMs).toISOString(),
    State: isTakenBack ? ('withdrawn' as const) : counted,
    Impressions: impressions,
    Clicks: clicks,
    Amount: nanos / nanosPerUsd,
  };
}

const dayParameter = (help: string): Parameter<string> =>
  text({
    help,
    schema: { type: 'string', minLength: 10, maxLength: 10 },
    example: '2027-01-31',
    check: (sent) =>
      sent === '' || formats.day.test(sent) ? undefined : { Code: 'format', Message: formats.day.wants },
  });
const dayIn = (sent: string) => Date.parse(sent) / dayMs;

const example = shown({
  day: 20_849,
  fetchedMs: 1_801_483_200_000,
  isMissing: false,
  isTakenBack: false,
  impressions: 1200,
  clicks: 7,
  nanos: 3_500_000_000,
});

export const getPartnerHistory = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/partner/history',
  name: 'getPartnerHistory',
  tag: reportsTag,
  summary: "Fetch what a partner's statistics said earlier",
  description: `What the partner of a demand object has reported for each day, with a version for each time that the report changed: newest days and versions first, at most ${versionsMax}. It shows what was compared at a month's end, whatever is fetched later.`,
  access: reader,
  parameters: {
    ...objectParameters,
    From: dayParameter(`First day; absent = ${daysShown - 1} days before To`),
    To: dayParameter('Last day; absent = today'),
  },
  returns: { description: 'The versions', schema: Type.Array(versionSchema), example: () => [example] },
  serve:
    ({ store, now }) =>
    async ({ caller: { teamId }, parameters: { Entity: kind = '', Id: id = 0, From = '', To = '' } }) => {
      await findObject(store, teamId, kind, id, 'Id');
      const toDay = To === '' ? dayOf(now()) : dayIn(To);
      const days = { fromDay: From === '' ? toDay - daysShown + 1 : dayIn(From), toDay };
      const versions = await store.reconciliation.history({ kind, id }, days, versionsMax);
      return { body: JSON.stringify(versions.map(shown)) };
    },
});
