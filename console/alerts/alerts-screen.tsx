import { Badge, Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { ruleOf } from '../../src/alerts/rule.ts';
import { ruleInWords } from '../../src/alerts/words.ts';
import { alertSeverities, standardSeverity } from '../../src/reference/alert-conditions.ts';
import { objectsRequest, type Stored, useSwitch } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Moment } from '../parts/moment.tsx';
import { isActive, objectName } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { Acknowledge } from './acknowledge.tsx';
import { alertKey } from './alert-key.ts';
import classes from './alerts.module.css';
import {
  type AlertMood,
  alertsQuery,
  byUrgency,
  type Finding,
  firingQuery,
  moodOf,
  mutedUntil,
} from './alerts.ts';
import { FiresSince, FoundFigure, FoundObject } from './finding-text.tsx';
import { LogTable } from './log-table.tsx';
import { MuteMenu } from './mute-menu.tsx';
import { Suggestions } from './suggestions.tsx';

/** Alerts, those that fire first, and what they have found. */
export function AlertsScreen() {
  const entity = entityOf(alertKey);
  return entity ? <KnownAlerts entity={entity} /> : null;
}

function KnownAlerts({ entity }: { readonly entity: ShownEntity }) {
  const { data, error } = useQuery(alertsQuery(entity));
  const { data: firing = [] } = useQuery(firingQuery);
  const alerts = byUrgency(data ?? []);
  return (
    <Stack gap="xl" maw={1100}>
      <ScreenHead entity={entity} />
      {error && !data && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={260} />}
      {data?.length === 0 && <NoAlerts />}
      {data && <Suggestions entity={entity} alerts={data} />}
      {alerts.length > 0 && (
        <>
          <ul className={classes.rows} aria-label="Alerts">
            {alerts.map((alert) => (
              <AlertRow
                key={alert.Id}
                entity={entity}
                alert={alert}
                firing={firing.filter(({ AlertId }) => AlertId === alert.Id)}
              />
            ))}
          </ul>
          <section aria-labelledby="alert-log">
            <Title order={2} size="h5" mb="xs" id="alert-log">
              What was found
            </Title>
            <LogTable alerts={alerts} />
          </section>
        </>
      )}
    </Stack>
  );
}

function ScreenHead({ entity }: { readonly entity: ShownEntity }) {
  const may = mayChange(useAccount());
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Title order={1} size="h3">
          Alerts
        </Title>
        <Text size="sm" c="dimmed">
          Checked once a minute.{' '}
          <Link to="/console/help/$page" params={{ page: 'alerts' }}>
            How alerts work
          </Link>
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <ApiCall calls={{ 'Fetch this list': objectsRequest(entity) }} />
        <Button
          leftSection={<Plus size={16} />}
          disabled={!may}
          title={may ? undefined : analystReason}
          renderRoot={(props) => (
            <Link to="/console/$entity/new" params={{ entity: entity.key }} {...props} />
          )}
        >
          New<span className="visually-hidden"> alert</span>
        </Button>
      </Group>
    </Group>
  );
}

function NoAlerts() {
  return (
    <Stack gap="xs" maw={620}>
      <Text fw={600}>There is no alert yet</Text>
      <Text c="dimmed">
        An alert watches a figure or the state of objects, and sends a mail or calls a webhook when it begins
        to fire and when it ends.
      </Text>
    </Stack>
  );
}

const badges: Readonly<Record<AlertMood, readonly [text: string, color: string]>> = {
  firing: ['fires', 'red'],
  problem: ['cannot be judged', 'orange'],
  noData: ['no data yet', 'gray'],
  muted: ['muted', 'gray'],
  quiet: ['quiet', 'teal'],
  off: ['off', 'gray'],
};

interface RowProps {
  readonly entity: ShownEntity;
  readonly alert: Stored;
  readonly firing: readonly Finding[];
}

const findingsShown = 5;

function AlertRow({ entity, alert, firing }: RowProps) {
  const mood = moodOf(alert);
  const [text, color] = badges[mood];
  return (
    <li className={classes.row}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 320px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              <Link to="/console/$entity/$id" params={{ entity: entity.key, id: String(alert.Id) }}>
                {objectName(alert)}
              </Link>
            </Text>
            <Badge
              color={mood === 'firing' ? 'red.8' : color}
              variant={mood === 'firing' ? 'filled' : 'light'}
            >
              {text}
            </Badge>
            <SeverityNote alert={alert} />
            <MutedNote alert={alert} mood={mood} />
          </Group>
          <Text size="sm" c="dimmed">
            {ruleInWords(ruleOf(alert))}
          </Text>
          {alert.Problem && isActive(alert) ? (
            <Text size="sm" c="orange" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {String(alert.Problem)}
            </Text>
          ) : null}
          {alert.NoData && isActive(alert) ? (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {String(alert.NoData)}
            </Text>
          ) : null}
          <Firing alert={alert} firing={firing} />
        </div>
        <RowActions entity={entity} alert={alert} />
      </Group>
    </li>
  );
}

/** How grave it is, where that is not as usual, and whose it is. */
function SeverityNote({ alert: { Severity, Owner } }: Pick<RowProps, 'alert'>) {
  const [code, severity] = Object.entries(alertSeverities).find(([one]) => one === String(Severity)) ?? [];
  const texts = [code === String(standardSeverity) ? '' : severity, String(Owner ?? '')];
  const text = texts.filter(Boolean).join(', ');
  return text === '' ? null : (
    <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

/** Until when nothing is told. */
function MutedNote({ alert, mood }: { readonly alert: Stored; readonly mood: AlertMood }) {
  const until = mutedUntil(alert);
  if (until === undefined || mood === 'off') return null;
  return (
    <Text span size="xs" c="dimmed">
      {mood !== 'muted' && 'muted '}
      {until === 'forever' ? (
        'until somebody ends it'
      ) : (
        <>
          until <Moment time={until} />
        </>
      )}
    </Text>
  );
}

function Firing({ alert, firing }: Pick<RowProps, 'alert' | 'firing'>) {
  if (firing.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label={`What ${objectName(alert)} fires for`}>
      {firing.slice(0, findingsShown).map((finding) => (
        <li key={finding.Id}>
          <FoundObject finding={finding} />: <FoundFigure finding={finding} alert={alert} />{' '}
          <FiresSince finding={finding} /> <Acknowledge finding={finding} />
        </li>
      ))}
      {firing.length > findingsShown && <li>and {firing.length - findingsShown} more</li>}
    </ul>
  );
}

function RowActions({ entity, alert }: Pick<RowProps, 'entity' | 'alert'>) {
  const toggle = useSwitch(entity);
  const may = mayChange(useAccount());
  const isOn = isActive(alert);
  return (
    <Group gap="sm" wrap="nowrap">
      {isOn && <MuteMenu entity={entity} alert={alert} />}
      <Switch
        aria-label={`${objectName(alert)} is active`}
        checked={isOn}
        disabled={!may || toggle.isPending}
        title={may ? undefined : analystReason}
        onChange={() => toggle.mutate({ id: alert.Id, name: objectName(alert), isActive: !isOn })}
      />
    </Group>
  );
}
