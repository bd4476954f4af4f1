import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiCall } from '../../api-call/api-call.tsx';
import { objectName } from '../../funnel/funnel-search.ts';
import { healthQuery, healthRequest } from '../../health/health.ts';
import { HealthDetail } from '../../health/health-detail.tsx';
import { HealthFigures } from '../../health/health-figures.tsx';
import { StateBadge } from '../../health/state-badge.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useShownObject } from '../object-context.ts';

/** How the object is: figures of the last hour, what refuses it, and what went wrong last. */
export function HealthTab() {
  const { entity, object } = useShownObject();
  const { data, error } = useQuery(healthQuery(entity, [object.Id]));
  const [health] = data ?? [];
  if (error && !health) return <ErrorNote error={error} />;
  if (!health) return <Skeleton h={280} aria-label="Loading the health" />;
  return (
    <Stack gap="lg" maw={960}>
      <Group justify="space-between">
        <Group gap="sm">
          <StateBadge state={health.State} />
          <Text size="sm" c="dimmed">
            Figures since <Moment time={health.Since} form="time" />
            {health.LastRequest && (
              <>
                ; the last request came <Moment time={health.LastRequest} />
              </>
            )}
            {' · '}
            <Link
              to="/console/auctions"
              search={{ [entity.side]: objectName({ entity: entity.key, id: object.Id }) }}
            >
              Sampled auctions
            </Link>
          </Text>
        </Group>
        <ApiCall calls={{ 'Fetch its health': healthRequest(entity, [object.Id]) }} />
      </Group>
      <HealthFigures side={entity.side === 'supply' ? 'supply' : 'demand'} health={health} />
      <HealthDetail entity={entity} health={health} isOwn />
    </Stack>
  );
}
