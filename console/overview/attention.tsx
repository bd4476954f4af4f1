import { Group, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allFiguresQuery, type Comparison } from '../api/figures.ts';
import { objectsQuery, type Stored } from '../api/objects.ts';
import { entities } from '../field-tables.ts';
import { isActive, objectName } from '../parts/object-name.ts';
import { countText, moneyText } from '../parts/value-text.ts';
import classes from './overview-screen.module.css';

const watched = entities.filter(({ side }) => side === 'supply' || side === 'demand');
const shownMax = 8;

/** What is wrong by today's figures; the hour that has just begun says nothing yet. */
function troubleOf(object: Stored, { Today, SameHoursYesterday, Trend }: Comparison): string | undefined {
  const quietHours = [...Trend].reverse().findIndex((requests) => requests > 0);
  if (!isActive(object) || quietHours === -1) return undefined;
  if (quietHours > 1 && SameHoursYesterday.Requests > 0) return `no requests for ${quietHours} h`;
  return Today.Requests > 0 && Today.Impressions === 0 ? 'no fill today' : undefined;
}

/** What is in trouble, of all supply and demand: what loses most first. */
function useTroubles() {
  const figures = useQueries({ queries: watched.map(({ key }) => allFiguresQuery(key)) });
  const objects = useQueries({ queries: watched.map((entity) => objectsQuery(entity)) });
  return watched
    .flatMap((entity, index) =>
      (objects[index]?.data ?? []).flatMap((object) => {
        const counted = figures[index]?.data?.get(object.Id);
        const text = counted && troubleOf(object, counted);
        return text && counted ? [{ entity, object, text, lost: lostOf(counted) }] : [];
      }),
    )
    .sort((one, other) => other.lost - one.lost);
}

/** USD that the object had earned by this time yesterday, and has not today. */
const lostOf = ({ Today, SameHoursYesterday }: Comparison) =>
  Math.max(0, SameHoursYesterday.Revenue - Today.Revenue);

const sides = ['supply', 'demand'] as const;

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
        {troubles.slice(0, shownMax).map(({ entity, object, text, lost }) => (
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
            <Text size="sm" c="orange" fw={600} ta="right">
              {text}
              {lost > 0 && ` · ${moneyText(lost)} less than yesterday`}
            </Text>
          </li>
        ))}
      </ul>
      <Rest troubles={troubles.slice(shownMax)} />
    </section>
  );
}

/** How many more there are of each side, with the way to their health. */
function Rest({ troubles }: { readonly troubles: ReturnType<typeof useTroubles> }) {
  const counts = sides.flatMap((side) => {
    const count = troubles.filter(({ entity }) => entity.side === side).length;
    return count > 0 ? [{ side, count }] : [];
  });
  if (counts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      and{' '}
      {counts.map(({ side, count }, index) => (
        <span key={side}>
          {index > 0 && ', '}
          <Link to="/console/health" search={{ state: 'warning', ...(side === 'supply' && { side }) }}>
            {countText(count)} more of {side}
          </Link>
        </span>
      ))}
    </Text>
  );
}
