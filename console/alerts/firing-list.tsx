import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Stored } from '../api/objects.ts';
import { objectName } from '../parts/object-name.ts';
import { Acknowledge } from './acknowledge.tsx';
import { alertKey } from './alert-key.ts';
import classes from './alerts.module.css';
import type { Finding } from './alerts.ts';
import { FiresSince, FoundFigure, FoundObject } from './finding-text.tsx';

const shownMax = 6;

interface ListProps {
  readonly firing: readonly Finding[];
  /** The alerts that cannot be judged. */
  readonly problems: readonly Stored[];
  readonly alerts: readonly Stored[];
}

export function FiringList({ firing, problems, alerts }: ListProps) {
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
