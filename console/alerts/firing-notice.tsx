import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { objectName } from '../parts/object-name.ts';
import { Acknowledge } from './acknowledge.tsx';
import { alertKey } from './alert-key.ts';
import classes from './alerts.module.css';
import { alertsQuery, byUrgency, firingQuery, isLoud, moodOf } from './alerts.ts';
import { FiresSince, FoundFigure, FoundObject } from './finding-text.tsx';

/** What alerts say now: what fires, with the object and the report of its figure, and what cannot be judged. */
export function FiringNotice() {
  const entity = entityOf(alertKey);
  return entity ? <KnownNotice entity={entity} /> : null;
}

const shownMax = 6;

function KnownNotice({ entity }: { readonly entity: ShownEntity }) {
  const { data: found = [] } = useQuery(firingQuery);
  const { data: all = [] } = useQuery(alertsQuery(entity));
  const alerts = byUrgency(all);
  const loud = new Set(alerts.filter(isLoud).map(({ Id }) => Id));
  const firing = found.filter(({ AlertId }) => loud.has(AlertId));
  const problems = alerts.filter((alert) => moodOf(alert) === 'problem');
  if (firing.length === 0 && problems.length === 0) return null;
  const byId = new Map(alerts.map((alert) => [alert.Id, alert]));
  return (
    <section className={classes.notice} aria-labelledby="firing-alerts">
      <Title order={2} size="h5" id="firing-alerts">
        {titleOf(firing.length, problems.length)}
      </Title>
      <ul className={classes.findings}>
        {firing.slice(0, shownMax).map((finding) => {
          const alert = byId.get(finding.AlertId);
          return (
            <li key={finding.Id}>
              <Link to="/console/$entity/$id" params={{ entity: alertKey, id: String(finding.AlertId) }}>
                {alert ? objectName(alert) : `Alert ${finding.AlertId}`}
              </Link>
              : <FoundObject finding={finding} />, <FoundFigure finding={finding} alert={alert} />{' '}
              <FiresSince finding={finding} /> <Acknowledge finding={finding} />
            </li>
          );
        })}
        {problems.slice(0, shownMax).map((alert) => (
          <li key={alert.Id}>
            <Link to="/console/$entity/$id" params={{ entity: alertKey, id: String(alert.Id) }}>
              {objectName(alert)}
            </Link>
            : {String(alert.Problem)}
          </li>
        ))}
      </ul>
      {firing.length + problems.length > shownMax && (
        <Text size="sm">
          <Link to="/console/alerts">All alerts</Link>
        </Text>
      )}
    </section>
  );
}

function titleOf(firing: number, problems: number): string {
  if (firing === 0)
    return problems === 1 ? 'An alert cannot be judged' : `${problems} alerts cannot be judged`;
  return firing === 1 ? 'An alert is firing' : `Alerts are firing for ${firing} objects`;
}
