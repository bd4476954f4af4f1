import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import classes from '../alerts/alerts.module.css';
import type { AnswerTo } from '../api/answers.ts';
import { objectsQuery } from '../api/objects.ts';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { sendingsQuery } from '../objects/sendings/sendings-query.ts';
import { objectName } from '../parts/object-name.ts';
import { reportKey } from './report-key.ts';

/** The saved reports that somebody waits for in vain: those whose last time was given up. */
export function FailedNotice() {
  const entity = entityOf(reportKey);
  return entity ? <KnownNotice entity={entity} /> : null;
}

const shownMax = 6;

type Sending = AnswerTo<'api/report/sendings'>[number];

/** One failed sending of each report that failed at the last time for which it was sent. */
function failedIn(sendings: readonly Sending[]): readonly Sending[] {
  const last = new Map<number, string>();
  for (const { ReportId, Due } of sendings) {
    if (Due > (last.get(ReportId) ?? '')) last.set(ReportId, Due);
  }
  const failed = sendings.filter(
    ({ ReportId, Due, State }) => State === 'failed' && Due === last.get(ReportId),
  );
  return [...new Map(failed.map((sending) => [sending.ReportId, sending])).values()];
}

function KnownNotice({ entity }: { readonly entity: ShownEntity }) {
  const { data: sendings = [] } = useQuery(sendingsQuery('api/report/sendings'));
  const { data: reports = [] } = useQuery(objectsQuery(entity));
  const names = new Map(reports.map((report) => [report.Id, objectName(report)]));
  // What is gone, or switched off, is no trouble any more.
  const failed = failedIn(sendings).filter(({ ReportId }) => names.has(ReportId));
  if (failed.length === 0) return null;
  return (
    <section className={classes.notice} aria-labelledby="failed-reports">
      <Title order={2} size="h5" id="failed-reports">
        {failed.length === 1 ? 'A report could not be sent' : `${failed.length} reports could not be sent`}
      </Title>
      <ul className={classes.findings}>
        {failed.slice(0, shownMax).map(({ ReportId, Error: reason }) => (
          <li key={ReportId}>
            <Link to="/console/$entity/$id/sendings" params={{ entity: reportKey, id: String(ReportId) }}>
              {names.get(ReportId)}
            </Link>
            : {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
