import { Alert, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Facts } from '../facts.tsx';
import { Section } from '../section.tsx';
import { metricsQuery, servedQuery } from './metrics.ts';
import { loadFacts, marketFacts, programFacts } from './server-facts.tsx';

/** The server, as far as people need to know it. */
export function ServerTab() {
  const served = useQuery(servedQuery);
  const metrics = useQuery(metricsQuery);
  return (
    <Stack gap="xl" maw={760}>
      <Section
        title="Program"
        text="What is running here, and which version of your configuration it serves."
      >
        {served.error && <ErrorNote error={served.error} />}
        {served.isPending ? <Skeleton h={160} /> : <Facts facts={programFacts(served.data, metrics.data)} />}
      </Section>
      {metrics.error && (
        <Alert color="gray" title="Figures of the server are not available">
          /metrics does not answer here: {metrics.error.message}. Proxies usually hide it from the public, as
          the operators' guide advises; monitoring shows the same figures.
        </Alert>
      )}
      {metrics.data && (
        <>
          <Section title="Load" text="How well the server keeps up. Updated automatically.">
            <Facts facts={loadFacts(metrics.data)} />
          </Section>
          <Section title="Exchange" text="All teams together, since the server started.">
            <Facts facts={marketFacts(metrics.data)} />
          </Section>
        </>
      )}
    </Stack>
  );
}
