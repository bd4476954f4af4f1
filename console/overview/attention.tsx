import { Group, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allFiguresQuery } from '../api/figures.ts';
import { objectsQuery } from '../api/objects.ts';
import { entities } from '../field-tables.ts';
import { healthOf } from '../lists/health.tsx';
import { objectName } from '../parts/object-name.ts';
import classes from './overview-screen.module.css';

const watched = entities.filter(({ side }) => side === 'supply' || side === 'demand');
const shownMax = 8;

/** What is in trouble, of all supply and demand. */
function useTroubles() {
  const figures = useQueries({ queries: watched.map(({ key }) => allFiguresQuery(key)) });
  const objects = useQueries({ queries: watched.map((entity) => objectsQuery(entity)) });
  return watched.flatMap((entity, index) =>
    (objects[index]?.data ?? []).flatMap((object) => {
      const counted = figures[index]?.data?.get(object.Id);
      const { text, isTrouble } = counted ? healthOf(object, counted) : { text: '', isTrouble: false };
      return isTrouble ? [{ entity, object, text }] : [];
    }),
  );
}

/** What somebody should look at. */
export function Attention() {
  const troubles = useTroubles();
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Needs attention
      </Title>
      {troubles.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing: everything with traffic shows ads.
        </Text>
      )}
      <ul className={classes.rows}>
        {troubles.slice(0, shownMax).map(({ entity, object, text }) => (
          <li key={`${entity.key}${object.Id}`}>
            <Group gap="xs">
              <Link
                to={entity.side === 'supply' ? '/console/$entity/$id/why' : '/console/$entity/$id'}
                params={{ entity: entity.key, id: String(object.Id) }}
              >
                {objectName(object)}
              </Link>
              <Text size="xs" c="dimmed">
                {entity.title}
              </Text>
            </Group>
            <Text size="sm" c="orange" fw={600}>
              {text}
            </Text>
          </li>
        ))}
      </ul>
      {troubles.length > shownMax && (
        <Text size="sm" c="dimmed">
          and {troubles.length - shownMax} more
        </Text>
      )}
    </section>
  );
}
