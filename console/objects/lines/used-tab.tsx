import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { objectsQuery } from '../../api/objects.ts';
import { numbersIn } from '../../api/values.ts';
import { entityOf, type ShownEntity, type ShownField } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { isActive, objectName, ownerNameOf, pluralOf } from '../../parts/object-name.ts';
import { useShownObject } from '../object-context.ts';
import classes from './used-tab.module.css';

/** Which objects name this list, and so change what they serve when it changes. */
export function UsedTab() {
  const { entity, object } = useShownObject();
  const fields = fieldsOf(entity).filter(({ place }) => place === 'backReference');
  const used = fields.filter(({ name }) => numbersIn(object[name]).length > 0);
  const [, ...others] = new Set(['', ...fields.map(({ references = '' }) => references)]);
  const kinds = others.flatMap((key) => entityOf(key) ?? []).map(pluralOf);
  return (
    <Stack gap="xl" maw={860}>
      {object.Global === 1 && (
        <Text size="sm">
          It is global: it applies to every object of the team as a blacklist, including those that do not
          name it.
        </Text>
      )}
      {used.length === 0 && (
        <Text size="sm" c="dimmed">
          No object names this list. {new Intl.ListFormat('en', { type: 'disjunction' }).format(kinds)} can
          name it in their settings.
        </Text>
      )}
      {used.map((field) => (
        <Users key={field.name} field={field} ids={numbersIn(object[field.name])} />
      ))}
    </Stack>
  );
}

function Users({ field, ids }: { readonly field: ShownField; readonly ids: readonly number[] }) {
  const entity = entityOf(field.references ?? '');
  return (
    entity && (
      <section>
        <Title order={2} size="h4" mb="xs">
          {pluralOf(entity)}{' '}
          <Text component="span" c="dimmed" size="sm">
            {ids.length}
          </Text>
        </Title>
        <UserList entity={entity} ids={ids} />
      </section>
    )
  );
}

function UserList({ entity, ids }: { readonly entity: ShownEntity; readonly ids: readonly number[] }) {
  const { data, error } = useQuery(objectsQuery(entity));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={80} />;
  const wanted = new Set(ids);
  return (
    <ul className={classes.list}>
      {data
        .filter(({ Id }) => wanted.has(Id))
        .map((one) => (
          <li key={one.Id} className={classes.item}>
            <Link to="/console/$entity/$id" params={{ entity: entity.key, id: String(one.Id) }}>
              {objectName(one)}
            </Link>{' '}
            <Text component="span" size="xs" c="dimmed">
              {[one.Id, ownerNameOf(entity, one), isActive(one) ? '' : 'inactive']
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
    </ul>
  );
}
