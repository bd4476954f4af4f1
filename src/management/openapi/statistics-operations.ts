import { columnsOf, type ReportRow } from '../../statistics/report-columns.ts';
import { type Report, reports } from '../../statistics/reports.ts';
import { noCounts } from '../../store/statistics-interface.ts';
import { reportParameters } from '../statistics/report-parameters.ts';
import { closedObject, type Json } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { queryParameter } from './parameters.ts';

const exampleRow: ReportRow = {
  day: 20_849,
  subId: 'site-7',
  counts: {
    ...noCounts,
    ...{ requests: 1200, bids: 900, wins: 640, bills: 600, impressions: 600, clicks: 9 },
    ...{ spentNanos: 1_200_000_000, revenueNanos: 1_500_000_000 },
  },
};

const mustBeSent = new Set(['username', 'auth', 'zone', 'feed']);

/** `/api/xml/stats/publisher/pop/subid` → `publisherPopSubidStatistics`. */
function operationId({ path }: Report): string {
  const [first = '', ...rest] = path.split('/').slice(4);
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  return `${first}${rest.map(capital).join('')}Statistics`;
}

function rowSchema(report: Report): Json {
  const columns = columnsOf(report).map(({ name, type, help }) => [name, { type, description: help }]);
  // `columns` may leave out any.
  return { ...closedObject(Object.fromEntries(columns)), required: [] };
}

function documentationOf(report: Report): DocumentedOperation {
  const { path, account, parameter, isBySubId, isDocumented } = report;
  const owner = `${account === 'Advertiser' ? 'an' : 'a'} ${account.toLowerCase()}`;
  const subject = parameter === undefined ? `all objects of ${owner}` : `one object of ${owner}`;
  const columns = columnsOf(report);
  const row = Object.fromEntries(columns.map(({ name, of }) => [name, of(exampleRow)]));
  const text = [columns.map(({ name }) => name), columns.map(({ of }) => of(exampleRow))];
  return {
    method: 'GET',
    path,
    operationId: operationId(report),
    tag: 'Statistics',
    summary: `Fetch the statistics of ${parameter === undefined ? owner : report.kind} by day${isBySubId ? ' and subid' : ''}`,
    description: `What was counted for ${subject}, a row for each day, also those without traffic. It takes the account's \`Username\` and \`StatsAuth\` instead of a token.`,
    documented: isDocumented,
    isPublic: true,
    parameters: reportParameters(report).map((each) => ({
      ...queryParameter(each),
      ...(mustBeSent.has(each.name) ? { required: true } : {}),
    })),
    answer: {
      description: 'The rows, in order of the day',
      content: {
        'text/csv': {
          schema: { type: 'string' },
          example: text.map((values) => `${values.join()}\r\n`).join(''),
        },
        'application/json': { schema: { type: 'array', items: rowSchema(report) }, example: [row] },
      },
    },
    failures: ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'],
  };
}

/** The statistics URLs. */
export const statisticsDocumentation: readonly DocumentedOperation[] = reports.map(documentationOf);
