import { Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiCall } from '../../api-call/api-call.tsx';
import { objectName } from '../../funnel/funnel-search.ts';
import { columnsOf } from '../../health/figures.tsx';
import classes from '../../health/health.module.css';
import { healthQuery, healthRequest } from '../../health/health.ts';
import { HealthDetail } from '../../health/health-detail.tsx';
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
  if (!health) return <Skeleton h={280} aria-label="The health is asked for" />;
  const columns = columnsOf[entity.side === 'supply' ? 'supply' : 'demand'];
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
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4, lg: 5 }} m={0} spacing="lg">
        {columns.map(({ title, help, cell, isTrouble }) => (
          <div key={title}>
            <Text component="dt" size="sm" c="dimmed" title={help}>
              {title}
            </Text>
            <Text component="dd" m={0} fw={600} className={isTrouble?.(health) ? classes.trouble : undefined}>
              {cell(health)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <HealthDetail entity={entity} health={health} isOwn />
    </Stack>
  );
}
