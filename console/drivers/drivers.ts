import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from '../api/answers.ts';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import type { ReportFilter } from '../reports/report-search.ts';

export type Drivers = AnswerTo<'api/statistics/drivers'>;
export type Split = Drivers['Splits'][number];
export type Driver = Split['Rows'][number];
export type DriverObject = Driver['Objects'][number];
export type DriverChange = DriverObject['Changes'][number];

/** Measures whose change the server can explain. */
export const explained = ['Revenue', 'Profit', 'Cost', 'Impressions', 'Requests'] as const;
export type Explained = (typeof explained)[number];

export const explainedOr = (name: string | undefined): Explained =>
  explained.find((one) => one === name) ?? 'Revenue';

export interface DriversQuestion {
  readonly Period?: string;
  readonly From?: string;
  readonly To?: string;
  readonly TimeZone: string;
  readonly Filters?: readonly ReportFilter[];
  readonly CompareTo?: string;
}

export const driversRequest = (question: DriversQuestion, Measure: Explained) =>
  ({ path: 'api/statistics/drivers', body: { ...question, Measure } }) satisfies ApiRequest;

const staleMs = 60_000;

export const driversQuery = (question: DriversQuestion, measure: Explained) =>
  queryOptions({
    queryKey: ['drivers', measure, question],
    queryFn: async ({ signal }): Promise<Drivers> =>
      (await sendRequest(driversRequest(question, measure), { signal })).data,
    staleTime: staleMs,
    refetchInterval: staleMs,
  });
