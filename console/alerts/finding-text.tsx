import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { figureReport } from '../../src/alerts/links.ts';
import { ruleOf } from '../../src/alerts/rule.ts';
import { figureText } from '../../src/alerts/words.ts';
import { measureRows } from '../../src/reference/measures.ts';
import type { Values } from '../api/objects.ts';
import { entityOf } from '../field-tables.ts';
import { Moment } from '../parts/moment.tsx';
import type { ReportSearch } from '../reports/report-search.ts';
import { filterOf } from '../reports/subject.ts';
import type { Finding } from './alerts.ts';

/** The address of a report of an alert's figure, of an object or of all; undefined where it is about none. */
const reportOf = (alert: Values, finding?: Pick<Finding, 'Entity' | 'ObjectId'>): ReportSearch | undefined =>
  figureReport(ruleOf(alert), finding?.ObjectId ? filterOf(finding.Entity, finding.ObjectId) : undefined);

/** A figure of an alert with its unit; "" where it is about none. */
const valueTextOf = (alert: Values | undefined, value: number | null): string =>
  value === null ? '' : figureText(value, measureRows.find(([name]) => name === alert?.Measure)?.[0]);

interface FindingProps {
  readonly finding: Finding;
  /** The alert that has found it; undefined where it is not known. */
  readonly alert: Values | undefined;
}

/** The object that was found, with a link to it. */
export function FoundObject({ finding: { Entity, ObjectId, ObjectName } }: Pick<FindingProps, 'finding'>) {
  const entity = entityOf(Entity);
  if (!entity || ObjectId === null) return 'All together';
  return (
    <>
      <Link
        to={entity.side === 'supply' ? '/console/$entity/$id/why' : '/console/$entity/$id'}
        params={{ entity: Entity, id: String(ObjectId) }}
      >
        <bdi>{ObjectName || `${entity.title} ${ObjectId}`}</bdi>
      </Link>{' '}
      <Text span size="xs" c="dimmed">
        {entity.title}
      </Text>
    </>
  );
}

/** The figure that was found, with a link to the report of it; else what there is to say. */
export function FoundFigure({ finding, alert }: FindingProps) {
  const { FirstValue, LastValue, Ended, Detail } = finding;
  const search = alert && reportOf(alert, finding);
  const value = valueTextOf(alert, Ended === '' ? LastValue : FirstValue);
  const isFor = finding.ObjectName || 'all together';
  return (
    <>
      {value !== '' && (
        <b>
          {search ? (
            <Link
              to="/console/reports"
              search={search}
              aria-label={`${value}: report of the figure, ${isFor}`}
            >
              {value}
            </Link>
          ) : (
            value
          )}
        </b>
      )}
      {value !== '' && Detail !== '' && ', '}
      {Detail}
    </>
  );
}

/** Since when it fires; and since when it would end, where it is so no more. */
export function FiresSince({ finding: { Began, ClearedSince } }: Pick<FindingProps, 'finding'>) {
  return (
    <Text span size="sm" c="dimmed">
      since <Moment time={Began} />
      {ClearedSince && (
        <>
          , normal again since <Moment time={ClearedSince} />
        </>
      )}
    </Text>
  );
}
