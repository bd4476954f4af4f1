import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AttentionRow, attentionQuery } from '../health/health.ts';
import { StateBadge } from '../health/state-badge.tsx';
import { Why } from '../health/why.tsx';
import { countText, moneyText } from '../parts/value-text.ts';
import classes from './overview-screen.module.css';

const shownMax = 8;

/** What somebody should look at, as the server judges: what has lost most first. */
export function Attention() {
  const { data } = useQuery(attentionQuery(shownMax));
  if (!data) return null;
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Needs attention
      </Title>
      {data.total === 0 && (
        <Text size="sm" c="dimmed">
          Nothing: everything active is ready, and nothing has stopped earning.
        </Text>
      )}
      <ul className={classes.rows}>
        {data.rows.map((row) => (
          <Row key={`${row.entity.key}${row.health.Id}`} row={row} />
        ))}
      </ul>
      {data.total > data.rows.length && <Rest count={data.total - data.rows.length} />}
    </section>
  );
}

function Row({ row: { entity, health, lost } }: { readonly row: AttentionRow }) {
  return (
    <li>
      <Group gap="xs">
        <Link to="/console/$entity/$id/health" params={{ entity: entity.key, id: String(health.Id) }}>
          {health.Name || `ID ${health.Id}`}
        </Link>
        <Text size="xs" c="dimmed">
          {entity.title}
        </Text>
      </Group>
      <Group gap="xs" justify="flex-end">
        <Text size="sm" c="dimmed">
          <Why health={health} />
        </Text>
        {lost > 0 && (
          <Text size="sm" c="orange" fw={600}>
            {moneyText(lost)} less than by now yesterday
          </Text>
        )}
        <StateBadge state={health.State} />
      </Group>
    </li>
  );
}

/** How many more there are, with the way to each side's. */
function Rest({ count }: { readonly count: number }) {
  return (
    <Text size="sm" c="dimmed">
      and {countText(count)} more, of{' '}
      <Link to="/console/health" search={{ state: 'attention' }}>
        demand
      </Link>{' '}
      and{' '}
      <Link to="/console/health" search={{ state: 'attention', side: 'supply' }}>
        supply
      </Link>
    </Text>
  );
}
