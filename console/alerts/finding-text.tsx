import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Values } from '../api/objects.ts';
import { entityOf } from '../field-tables.ts';
import { Moment } from '../parts/moment.tsx';
import { type Finding, reportOf, valueTextOf } from './alerts.ts';

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
