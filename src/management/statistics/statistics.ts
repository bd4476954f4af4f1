import type { FastifyInstance } from 'fastify';
import { entityOf } from '../../entities/registry.ts';
import { invalid } from '../../fields/fault.ts';
import { rowsByDay, rowsBySubId } from '../../statistics/report-rows.ts';
import { type Report, reports } from '../../statistics/reports.ts';
import type { StatisticsAccount } from '../../store/statistics-interface.ts';
import { send } from '../call.ts';
import type { Answer, Context } from '../context.ts';
import { logIn } from './log-in.ts';
import { type ReportQuestion, reportReader } from './read-report.ts';

type StatisticsContext = Pick<Context, 'store' | 'now'>;

/** ID of what the report is about. Refuses objects of other accounts as if they were not there. */
async function subjectOf(
  { store }: StatisticsContext,
  { kind, parameter }: Report,
  { id: ownerId, teamId }: StatisticsAccount,
  { id }: ReportQuestion,
): Promise<number> {
  if (parameter === undefined) return ownerId;
  const entity = entityOf(kind);
  const object = await store.find(entity, teamId, { id, ownerId });
  if (object) return object.id;
  throw invalid([{ Path: parameter, Code: 'not_found', Message: `${id}: ${entity.title} is not found` }]);
}

/** Compiles what serves a report: it checks the credentials first, then the question. */
function serve(report: Report, context: StatisticsContext) {
  const read = reportReader(report, context.now);
  const rowsOf = report.isBySubId ? rowsBySubId : rowsByDay;
  return async (query: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const account = await logIn(context.store, report, query);
    const question = read(query);
    const { format, columns, range } = question;
    const id = await subjectOf(context, report, account, question);
    const rows = rowsOf(context.store.statistics, { kind: report.kind, id }, range);
    return { type: format.type, body: format.write(columns, rows) };
  };
}

/** The statistics URLs that entities hand out: their own credentials instead of a token (specification 4.7, 5.3). */
export function registerStatistics(app: FastifyInstance, context: StatisticsContext): void {
  for (const report of reports) {
    const answer = serve(report, context);
    app.get(report.path, { config: { public: true } }, async (request, reply) =>
      send(reply, await answer(request.query as Record<string, unknown>)),
    );
  }
}
