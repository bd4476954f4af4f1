import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChangeLine } from '../changes/change-line.tsx';
import { useNamesOf } from '../history/names-of.ts';
import { historyQuery } from '../objects/history/history.ts';
import classes from './overview-screen.module.css';

const shownMax = 8;

/** What people have changed last. */
export function RecentChanges() {
  const { data = [] } = useQuery(historyQuery({ OncePerBatch: 1 }, shownMax));
  const names = useNamesOf(data);
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Recent changes
      </Title>
      <ol className={classes.changes}>
        {data.map((change) => (
          <ChangeLine
            key={`${change.Revision}${change.Entity}${change.Id}`}
            change={change}
            name={names.get(`${change.Entity} ${change.Id}`)}
          />
        ))}
      </ol>
    </section>
  );
}
