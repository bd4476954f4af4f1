import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { alertKey } from './alert-key.ts';
import { alertsQuery, byUrgency, firingQuery, isLoud, moodOf } from './alerts.ts';

const FiringList = lazy(async () => ({ default: (await import('./firing-list.tsx')).FiringList }));

/** What alerts say now: what fires, with the object and the report of its figure, and what cannot be judged. */
export function FiringNotice() {
  const entity = entityOf(alertKey);
  return entity ? <KnownNotice entity={entity} /> : null;
}

function KnownNotice({ entity }: { readonly entity: ShownEntity }) {
  const { data: found = [] } = useQuery(firingQuery);
  const { data: all = [] } = useQuery(alertsQuery(entity));
  const alerts = byUrgency(all);
  const loud = new Set(alerts.filter(isLoud).map(({ Id }) => Id));
  const firing = found.filter(({ AlertId }) => loud.has(AlertId));
  const problems = alerts.filter((alert) => moodOf(alert) === 'problem');
  if (firing.length === 0 && problems.length === 0) return null;
  return (
    <Suspense>
      <FiringList firing={firing} problems={problems} alerts={alerts} />
    </Suspense>
  );
}
