import { Box, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { measurementMacros } from '../../src/reference/measurement-macros.ts';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { errorBeside, faultAt } from '../parts/faults.ts';
import { administratorReason, mayManageUsers } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { useAccessChange } from './people.ts';
import { Section } from './section.tsx';

const settingsRequest = { path: 'api/team/get' } satisfies ApiRequest;
const settingsQuery = queryOptions({
  queryKey: ['team settings'],
  queryFn: async ({ signal }) => (await sendRequest(settingsRequest, { signal })).data,
});

const path = 'Team.MeasurementUrl';

/** The URL by which a third party measures the team's ads. */
export function MeasurementForm() {
  const { data, error } = useQuery(settingsQuery);
  return (
    <Section
      title="Third-party measurement"
      text="A URL that is called when an ad of an RTB EP with ThirdPartyPostbidEnable is shown, for the share of its ads in ThirdPartyPercentage. Reports count them as Measured."
      action={<ApiCall calls={{ 'Fetch the settings': settingsRequest }} />}
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={90} />}
      {data && <UrlForm key={data.MeasurementUrl} url={data.MeasurementUrl} />}
    </Section>
  );
}

function UrlForm({ url }: { readonly url: string }) {
  const client = useQueryClient();
  const may = mayManageUsers(useAccount());
  const [typed, type] = useState(url);
  const save = useAccessChange('Measurement saved');
  const request = { path: 'api/team/update', body: { Team: { MeasurementUrl: typed } } } satisfies ApiRequest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(request, {
      onSuccess: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
    });
  };
  const failure = errorBeside(save.error, [path]);
  const title = may ? undefined : administratorReason;
  return (
    <Stack gap="md" component="form" onSubmit={submit}>
      {failure && <ErrorNote error={failure} />}
      <TextInput
        label="URL"
        description="Empty: no ad is measured. Secure pages call it only if it begins with https."
        placeholder="https://measure.example/i?a={auction_id}&s={site}"
        value={typed}
        disabled={!may}
        title={title}
        error={faultAt(save.error, path)}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      <Box component="dl" m={0}>
        {Object.entries(measurementMacros).map(([name, help]) => (
          <Text key={name} component="div" size="sm" c="dimmed">
            <dt style={{ display: 'inline' }}>
              <code>{`{${name}}`}</code>
            </dt>{' '}
            <dd style={{ display: 'inline', margin: 0 }}>{help}</dd>
          </Text>
        ))}
      </Box>
      <Group>
        <Button type="submit" disabled={!may || typed === url} title={title} loading={save.isPending}>
          Save
        </Button>
        <ApiCall calls={{ 'Save the URL': request }} />
      </Group>
    </Stack>
  );
}
