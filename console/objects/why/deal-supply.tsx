import { Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { objectsQuery } from '../../api/objects.ts';
import { entityOf } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { objectName } from '../../parts/object-name.ts';
import { useShownObject } from '../object-context.ts';

/** Of each kind. */
const shownMax = 20;

/** The supply objects of a deal, whose explanations tell why it is not offered. */
export function DealSupply() {
  const { entity, object } = useShownObject();
  const named = fieldsOf(entity).flatMap(({ name, references = '' }) => {
    const supply = entityOf(references);
    return supply?.side === 'supply' ? [{ supply, ids: (object[name] ?? []) as readonly number[] }] : [];
  });
  const isForAll = named.every(({ ids }) => ids.length === 0);
  const wanted = named.filter(({ ids }) => isForAll || ids.length > 0);
  const found = useQueries({ queries: wanted.map(({ supply }) => objectsQuery(supply)) });
  if (found.some(({ isPending }) => isPending)) return <Skeleton h={100} />;
  const rows = wanted.flatMap(({ supply, ids }, place) =>
    (found[place]?.data ?? [])
      .filter(({ Id }) => isForAll || ids.includes(Id))
      .slice(0, shownMax)
      .map((one) => ({ supply, one })),
  );
  return (
    <Stack gap="xs">
      <Text c="dimmed">
        Explain a request to one of its supply objects to see why the deal is not offered.
      </Text>
      {rows.map(({ supply, one }) => (
        <Link
          key={`${supply.key}${one.Id}`}
          to="/console/$entity/$id/why"
          params={{ entity: supply.key, id: String(one.Id) }}
        >
          {supply.title} {one.Id}: {objectName(one)}
        </Link>
      ))}
    </Stack>
  );
}
