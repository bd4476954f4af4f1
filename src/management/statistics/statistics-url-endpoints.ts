import { hash, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { closedObject } from '../../answers/wire-schema.ts';
import { entityOf } from '../../entities/registry.ts';
import { withArticle } from '../../entities/with-article.ts';
import { invalid, Refusal } from '../../fields/fault.ts';
import { columnsOf, exampleRow } from '../../statistics/statistics-columns.ts';
import { rowsByDay, rowsBySubId } from '../../statistics/statistics-rows.ts';
import { statisticsFormats } from '../../statistics/statistics-text.ts';
import { type StatisticsUrl, statisticsUrls } from '../../statistics/statistics-urls.ts';
import type { StatisticsAccount } from '../../store/statistics/interface.ts';
import type { Context } from '../context.ts';
import type { Access } from '../endpoint/access.ts';
import { defineEndpoint, type Endpoint, type ResponseBody } from '../endpoint/endpoint.ts';
import { dayRange, statisticsUrlParameters } from './statistics-url-parameters.ts';

/** In constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/** By `username` and `auth`, inactive accounts too. Refuses with `unauthorized`. */
async function authenticateAccount(
  { store: { statistics }, now }: Pick<Context, 'store' | 'now'>,
  { account: kind }: StatisticsUrl,
  { username, auth }: Readonly<Record<string, unknown>>,
): Promise<StatisticsAccount> {
  const isSent = typeof username === 'string' && typeof auth === 'string';
  const account = isSent ? await statistics.account(kind, username) : undefined;
  const former = (account?.formerSecrets ?? []).filter(({ UntilMs }) => now() < UntilMs);
  const secrets = [account?.statsAuth ?? '', ...former.map(({ Value }) => Value)];
  const isRight = secrets.map((secret) => isSame(String(auth), secret)).includes(true);
  if (isSent && account && account.statsAuth !== '' && isRight) return account;
  throw new Refusal('unauthorized', 'username or auth is wrong');
}

const tag = {
  name: 'Statistics',
  description: 'What publishers and advertisers fetch with the URLs in their objects.',
};

/** By the account's credentials instead of a token. */
function statisticsAccess(statisticsUrl: StatisticsUrl): Access<StatisticsAccount> {
  return {
    by: 'query',
    right: 'read',
    changes: false,
    identify: (context, query) => authenticateAccount(context, statisticsUrl, query),
  };
}

const unfilled = /^\{\w*\}$/;

/** Without unfilled templates (reference, "Statistics"). */
function withoutTemplates(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => name === 'username' || typeof value !== 'string' || !unfilled.test(value),
    ),
  );
}

/** `/api/xml/stats/publisher/pop/subid` → `publisherPopSubidStatistics`. */
function statisticsUrlName({ path }: StatisticsUrl): string {
  const [first = '', ...rest] = path.split('/').slice(4);
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  return `${first}${rest.map(capital).join('')}Statistics`;
}

function responseOf(statisticsUrl: StatisticsUrl): ResponseBody {
  const columns = columnsOf(statisticsUrl);
  const members = columns.map(({ name, type, help }) => {
    // `columns` may leave out any.
    return [name, Type.Optional({ type, description: help })];
  });
  const row = Object.fromEntries(columns.map(({ name, of }) => [name, of(exampleRow)]));
  const lines = [columns.map(({ name }) => name), columns.map(({ of }) => of(exampleRow))];
  return {
    description: 'The rows, in order of the day',
    schema: Type.Array({ ...closedObject(Object.fromEntries(members)), required: [] }),
    example: () => [row],
    otherwise: {
      'text/csv': {
        schema: Type.String(),
        example: () => lines.map((values) => `${values.join()}\r\n`).join(''),
      },
    },
  };
}

/** Refuses objects of other accounts as if they did not exist. */
async function subjectOf(
  { store }: Context,
  { kind, parameter }: StatisticsUrl,
  { id: ownerId, teamId }: StatisticsAccount,
  id: number,
): Promise<number> {
  if (parameter === undefined) return ownerId;
  const entity = entityOf(kind);
  const object = await store.find(entity, teamId, { id, ownerId });
  if (object) return object.id;
  throw invalid([{ Path: parameter, Code: 'not_found', Message: `${id}: ${entity.title} is not found` }]);
}

function idIn({ parameter }: StatisticsUrl, parameters: Readonly<Record<string, unknown>>): number {
  return Number((parameter && parameters[parameter]) ?? 0);
}

function reportEndpoint(statisticsUrl: StatisticsUrl): Endpoint {
  const { path, account, parameter, isBySubId, isExtension, kind } = statisticsUrl;
  const owner = withArticle(entityOf(account)).toLowerCase();
  const subject =
    parameter === undefined ? `all objects of ${owner}` : `one ${entityOf(kind).title} of ${owner}`;
  const rowsOf = isBySubId ? rowsBySubId : rowsByDay;
  return defineEndpoint({
    method: 'GET',
    path,
    name: statisticsUrlName(statisticsUrl),
    tag,
    summary: `Fetch the statistics of ${parameter === undefined ? owner : withArticle(entityOf(kind))} by day${isBySubId ? ' and subid' : ''}`,
    description: `What was counted for ${subject}, one row for each day${isBySubId ? ' and subid' : ', also those without traffic'}. It takes the account's \`Username\` and \`StatsAuth\` instead of a token.`,
    isSpecified: !isExtension,
    access: statisticsAccess(statisticsUrl),
    parameters: statisticsUrlParameters(statisticsUrl),
    cleanQuery: withoutTemplates,
    returns: responseOf(statisticsUrl),
    serve:
      (context) =>
      async ({ caller, parameters }) => {
        const range = dayRange(parameters, context.now());
        const format = parameters.type ?? statisticsFormats.get('csv');
        if (!format) throw new Error('there is no CSV');
        const id = await subjectOf(context, statisticsUrl, caller, idIn(statisticsUrl, parameters));
        const { columns = [] } = parameters;
        const rows = rowsOf(context.store.statistics, { kind, id }, range);
        return {
          type: format.type,
          body: format.write(columns.length === 0 ? columnsOf(statisticsUrl) : columns, rows),
        };
      },
  });
}

export const statisticsUrlEndpoints: readonly Endpoint[] = statisticsUrls.map(reportEndpoint);
