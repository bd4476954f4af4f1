import { Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Move } from '../api/figures.ts';
import { entityOf } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { moneyText } from '../parts/value-text.ts';
import classes from './overview-screen.module.css';

/** The objects whose revenue has moved most. */
export function Moves({ title, moves }: { readonly title: string; readonly moves: readonly Move[] }) {
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {moves.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has changed.
        </Text>
      )}
      <ul className={classes.rows}>
        {moves.map(({ Entity, Id, Name, Today, SameHoursYesterday }) => (
          <li key={`${Entity}${Id}`}>
            <Group gap="xs">
              <Link to="/console/$entity/$id" params={{ entity: Entity, id: String(Id) }}>
                {Name || `ID ${Id}`}
              </Link>
              <Text size="xs" c="dimmed">
                {entityOf(Entity)?.title}
              </Text>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Change now={Today.Revenue} before={SameHoursYesterday.Revenue} since="" />
              <span>{moneyText(Today.Revenue)}</span>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  );
}
