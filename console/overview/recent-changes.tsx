import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { entityOf } from '../field-tables.ts';
import { historyQuery } from '../objects/history/history.ts';
import { Moment } from '../parts/moment.tsx';
import { titleOf } from '../parts/value-text.ts';
import classes from './overview-screen.module.css';

const shownMax = 8;
const fieldsMax = 3;

/** What people have changed last. */
export function RecentChanges() {
  const { data = [] } = useQuery(historyQuery({}));
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Recent changes
      </Title>
      <ul className={classes.rows}>
        {data.slice(0, shownMax).map(({ Revision, Entity, Id, Operation, Changes, Time, UserName }) => {
          const entity = entityOf(Entity);
          const fields = Operation === 'update' ? Changes.map(({ Field }) => titleOf(Field)) : [];
          const more = fields.length > fieldsMax ? ` and ${fields.length - fieldsMax} more` : '';
          return (
            <li key={`${Revision}${Entity}${Id}`}>
              <Group gap="xs">
                {entity ? (
                  <Link to="/console/$entity/$id/history" params={{ entity: Entity, id: String(Id) }}>
                    {entity.title} {Id}
                  </Link>
                ) : (
                  <span>
                    {titleOf(Entity)} {Id}
                  </span>
                )}
                <span>
                  {Operation}
                  {fields.length > 0 && `: ${fields.slice(0, fieldsMax).join(', ')}${more}`}
                </span>
              </Group>
              <Text size="xs" c="dimmed" ta="right">
                {UserName || 'Bourse'}, <Moment time={Time} />
              </Text>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
