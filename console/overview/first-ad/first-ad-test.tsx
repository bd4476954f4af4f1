import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TestResult } from '../../../src/answers/test-result.ts';
import { call, sendRequest } from '../../api/call.ts';
import { objectQuery } from '../../api/objects.ts';
import { testRequest } from '../../objects/test/test.ts';
import { TestedAd } from '../../objects/test/tested-ad.tsx';
import { Outcome } from '../../objects/why/outcome.tsx';
import { macroUrlsOf } from '../../objects/why/url-editor.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { errorBeside } from '../../parts/faults.ts';
import { moneyText } from '../../parts/value-text.ts';
import { announce } from '../../shell/announcements.ts';
import { knownEntity } from './known-entity.ts';

interface FirstAdTestProps {
  readonly tagId: number;
  readonly kind: string;
  readonly demandId: number;
}

async function askOnceServed({ tagId, kind, demandId }: FirstAdTestProps): Promise<TestResult> {
  const { data: changes } = await call('api/history/get', {
    query: { Entity: kind, Id: demandId, Limit: 1 },
  });
  await call('api/exchange/status', { query: { Revision: changes[0]?.Revision } });
  return (await sendRequest(testRequest(knownEntity('VastTag'), tagId))).data;
}

/** The tag's URL, and what the exchange answers to it now. */
export function FirstAdTest(props: FirstAdTestProps) {
  const entity = knownEntity('VastTag');
  const { data, error } = useQuery(objectQuery(entity, props.tagId));
  const test = useMutation({
    mutationFn: () => askOnceServed(props),
    onSuccess: ({ Outcome: outcome }) => announce(outcome === 'won' ? 'An ad is shown' : 'No ad is shown'),
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={120} />;
  const [url = ''] = macroUrlsOf(entity, data.object);
  const failure = errorBeside(test.error, []);
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={500}>
          URL for the player
        </Text>
        <Text size="xs" c="dimmed" mb={4}>
          The player replaces the macros in braces with what it knows.
        </Text>
        <CopyText text={url} />
      </div>
      <Group>
        <Button onClick={() => test.mutate()} loading={test.isPending}>
          {test.data ? 'Ask again' : 'Ask for an ad now'}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 240px">
          Demand is really called; nothing is counted or billed.
        </Text>
      </Group>
      {failure && <ErrorNote error={failure} />}
      {test.data && <FirstAdAnswer result={test.data} tagId={props.tagId} />}
    </Stack>
  );
}

function FirstAdAnswer({ result, tagId }: { readonly result: TestResult; readonly tagId: number }) {
  const winner = result.Candidates.find((one) => one.Outcome === 'won' || one.Outcome === 'fallback');
  if (!winner) return <Outcome explanation={result} supply={knownEntity('VastTag')} />;
  const params = { entity: 'VastTag', id: String(tagId) };
  return (
    <Stack gap="md">
      <Alert color="teal" title="Your exchange shows an ad">
        {winner.Name} won{winner.Price === null ? '' : ` at ${moneyText(winner.Price)} CPM`}. Put the URL
        above into the player of the site; the first views appear in the statistics seconds later.
      </Alert>
      <TestedAd key={result.AuctionId} result={result} />
      <Group gap="lg">
        <Link to="/console/$entity/$id" params={params}>
          All settings of the tag
        </Link>
        <Link to="/console/$entity/$id/connections" params={params}>
          Its connections
        </Link>
        <Link to="/console/$entity/$id/test" params={params}>
          Its tests
        </Link>
        <Link to="/">Overview</Link>
      </Group>
    </Stack>
  );
}
