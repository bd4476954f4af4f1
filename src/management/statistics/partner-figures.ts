import { type Static, Type } from 'typebox';
import { closedObject, labelled, okStatus, oneOf, succeeded } from '../../answers/wire-schema.ts';
import { demandKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import { type Fault, invalid } from '../../fields/fault.ts';
import { formats } from '../../fields/formats.ts';
import { intMax } from '../../fields/number.ts';
import { dateOf, dayMs, dayOf } from '../../statistics/days.ts';
import type { Store } from '../../store/interface.ts';
import type { FetchStatus } from '../../store/reconciliation/interface.ts';
import { reader, tester } from '../endpoint/access.ts';
import { checkedBody } from '../endpoint/body.ts';
import { defineEndpoint } from '../endpoint/endpoint.ts';
import { number, text } from '../endpoint/parameter.ts';
import { notFoundFault } from '../post-answer.ts';
import { reportsTag } from './ask-report.ts';

/** With their partner's statistics. */
const kinds = demandKindNames.filter((kind) => 'StatsApi' in entityOf(kind).fields);
/** Per fetch. */
const daysMax = 92;

const states = {
  none: 'The object has no StatsApi, or has not been checked yet',
  waiting: 'Not fetched yet, but due',
  read: 'The answer was read',
  failed: 'No answer came; it is tried again an hour later',
  unreadable: 'The answer cannot be read, and nothing in it counts',
} as const;

const time = (description: string) => Type.String({ description });
const members = {
  State: labelled(states, 'The outcome of the last fetch'),
  IsUnderWay: Type.Integer({ enum: [0, 1], description: '1 = being fetched at this moment' }),
  LastFetch: time('When it was fetched last, UTC; "" = never'),
  NextFetch: time('When it is fetched next, UTC; "" = never'),
  Rows: Type.Integer({ description: 'Rows that were read' }),
  Error: Type.String({ description: 'Why nothing was read, and what helps; "" if something was' }),
  Sample: Type.String({
    description:
      'Beginning of an answer that was not read, at most 300 characters; it is untrusted text, with control characters shown as codes',
  }),
};
const statusSchema = closedObject(members);

const shownTime = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString());

function shown(status: FetchStatus | undefined): Static<typeof statusSchema> {
  return {
    State: status?.state ?? 'none',
    IsUnderWay: status?.isUnderWay ? 1 : 0,
    LastFetch: shownTime(status?.lastMs),
    NextFetch: shownTime(status?.nextMs),
    Rows: status?.rowCount ?? 0,
    Error: status?.error ?? '',
    Sample: status?.sample ?? '',
  };
}

const example = shown({
  state: 'read',
  isUnderWay: false,
  lastMs: 1_801_483_200_000,
  nextMs: 1_801_569_600_000,
  rowCount: 3,
  error: '',
  sample: '',
});

/** If it is the team's. Refuses with `invalid`. */
export async function findObject(store: Store, teamId: number, kind: string, id: number, path: string) {
  const object = await store.find(entityOf(kind), teamId, { id });
  if (!object) throw invalid([{ ...notFoundFault(entityOf(kind), id), Path: path }]);
  return object;
}

export const objectParameters = {
  Entity: {
    ...text({
      help: 'Kind of the object',
      schema: { type: 'string', enum: [...kinds] },
      example: 'DspRtbEp',
      check: (value) =>
        kinds.some((kind) => kind === value)
          ? undefined
          : { Code: 'out_of_range', Message: `must be one of ${kinds.join(', ')}` },
    }),
    isRequired: true,
  },
  Id: { ...number({ help: 'ID of the object', max: intMax }), isRequired: true },
};

export const getPartnerFigures = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/partner/get',
  name: 'getPartnerFetch',
  tag: reportsTag,
  summary: "Fetch the state of a partner's statistics",
  description:
    'The outcome of the last fetch of the StatsApi of a demand object. The figures are measures of reports: PartnerImpressions, PartnerClicks, PartnerAmount, ReportedDays, MissingDays, Discrepancy and AmountDiscrepancy, by demand object and day.',
  access: reader,
  parameters: objectParameters,
  returns: { description: 'The state', schema: statusSchema, example: () => example },
  serve:
    ({ store, now }) =>
    async ({ caller: { teamId }, parameters: { Entity: kind = '', Id: id = 0 } }) => {
      await findObject(store, teamId, kind, id, 'Id');
      return { body: JSON.stringify(shown(await store.reconciliation.status({ kind, id }, now()))) };
    },
});

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'day', maxLength: 64, description }));

/** By default the last three whole ones. */
function daysOf({ From = '', To = '' }: { From?: string; To?: string }, nowMs: number) {
  const yesterday = dayOf(nowMs) - 1;
  const dayIn = (text: string) => Date.parse(text) / dayMs;
  const toDay = To === '' ? yesterday : dayIn(To);
  const fromDay = From === '' ? toDay - 2 : dayIn(From);
  const faults: Fault[] = [];
  if (toDay > yesterday) {
    const Message = `must be ${dateOf(yesterday)} or earlier: days (UTC) are compared once they are over`;
    faults.push({ Path: 'To', Code: 'out_of_range', Message });
  }
  if (fromDay > toDay || toDay - fromDay >= daysMax) {
    const Message = `must be a day up to To; at most ${daysMax} days including To`;
    faults.push({ Path: 'From', Code: 'out_of_range', Message });
  }
  if (faults.length > 0) throw invalid(faults);
  return { fromDay, toDay };
}

export const fetchPartnerFigures = defineEndpoint({
  method: 'POST',
  path: '/api/statistics/partner/fetch',
  name: 'fetchPartnerFigures',
  tag: reportsTag,
  summary: "Fetch a partner's statistics now",
  description: `Has the StatsApi of a demand object fetched within about 15 seconds, instead of at its usual time: for the last three whole days (UTC), or the days that are named, at most ${daysMax}. The new figures replace what the partner has reported for these days before; /api/statistics/partner/history keeps the old ones.`,
  access: tester,
  accepts: checkedBody({
    schema: closedObject({
      Entity: oneOf([kinds[0] ?? '', ...kinds.slice(1)], 'Kind of the object'),
      Id: Type.Integer({ minimum: 1, maximum: intMax, description: 'ID of the object' }),
      From: day('First day (UTC), for example 2027-01-31; absent or "" = two days before To'),
      To: day('Last day (UTC); absent or "" = yesterday'),
    }),
    example: () => ({ Entity: 'DspRtbEp', Id: 7 }),
  }),
  returns: {
    description: 'The state before the fetch',
    schema: closedObject({ Status: okStatus, Fetch: statusSchema }),
    example: () => ({ ...succeeded, Fetch: example }),
  },
  serve:
    ({ store, now }) =>
    async ({ caller: { teamId }, body }) => {
      const { Entity: kind, Id: id } = body;
      const { document, status } = await findObject(store, teamId, kind, id, 'Id');
      if (!formats.url.test(String(document.StatsApi ?? ''))) {
        throw invalid([
          { Path: 'Id', Code: 'not_found', Message: `names a ${kind} without StatsApi; set that first` },
        ]);
      }
      if (status !== 0) {
        const Message = `names a ${kind} that is not active; activate it first`;
        throw invalid([{ Path: 'Id', Code: 'contradiction', Message }]);
      }
      const nowMs = now();
      await store.reconciliation.request({ kind, id, teamId }, nowMs, daysOf(body, nowMs));
      const Fetch = shown(await store.reconciliation.status({ kind, id }, nowMs));
      return { body: JSON.stringify({ ...succeeded, Fetch }) };
    },
});
