import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { Outcome } from '../why/outcome.tsx';
import { Calls } from './calls.tsx';
import { testRequest, testUrlRequest } from './test.ts';
import { TestedAd } from './tested-ad.tsx';

/** Calls the object as a player would, without counting anything, and shows the ad and all that came of it. */
export function TestTab() {
  const { entity, object } = useShownObject();
  const may = mayChange(useAccount());
  const request = testRequest(entity, object.Id);
  const urlRequest = testUrlRequest(entity, object.Id);
  const test = useMutation({ mutationFn: async () => (await sendRequest(request)).data });
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={720}>
        A test really calls demand, within its MaxQps. OpenRTB partners are told that it is a test; tags and
        feeds have no flag for that, so their partners may count it. Bourse counts, bills and reserves
        nothing, and partners' trackers stay dormant until you fire them.
      </Text>
      <Group>
        <Button
          disabled={!may}
          title={may ? undefined : analystReason}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.data ? 'Test again' : 'Run a test'}
        </Button>
        <OwnPlayer request={urlRequest} />
        <ApiCall calls={{ 'Run a test': request, 'Make a test URL': urlRequest }} />
      </Group>
      {test.error && <ErrorNote error={test.error} />}
      {test.data && (
        <div key={test.data.AuctionId}>
          <Stack gap="xl">
            {test.data.Markup !== '' && <TestedAd result={test.data} />}
            <Outcome explanation={test.data} supply={entity} />
            <section>
              <Title order={2} size="h4" mb="xs">
                Calls to demand
              </Title>
              <Calls calls={test.data.Calls} />
            </section>
          </Stack>
        </div>
      )}
    </Stack>
  );
}

function OwnPlayer({ request }: { readonly request: ApiRequest<'api/exchange/test'> }) {
  const may = mayChange(useAccount());
  const made = useMutation({ mutationFn: async () => (await sendRequest(request)).data });
  if (made.data) {
    return (
      <div>
        <CopyText text={made.data.Url} />
        <Text size="xs" c="dimmed">
          For your own player, until <Moment time={made.data.Expires} />
        </Text>
      </div>
    );
  }
  return (
    <>
      <Button
        variant="default"
        disabled={!may}
        title={may ? undefined : analystReason}
        loading={made.isPending}
        onClick={() => made.mutate()}
      >
        Make a test URL
      </Button>
      {made.error && <Text c="red">{made.error.message}</Text>}
    </>
  );
}
