import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { AdsTxtFiles, adsTxtRefetch } from '../parts/ads-txt-files.tsx';
import { ErrorNote } from '../parts/error-note.tsx';

const adsTxtRequest = { path: 'api/portal/adstxt/get' } satisfies ApiRequest;

/** The lines for ads.txt and app-ads.txt that name the exchange, and where they were found. */
export function OwnAdsTxt() {
  const { data, error, isPending } = useQuery({
    queryKey: ['own', 'ads-txt'],
    queryFn: async ({ signal }) => (await sendRequest(adsTxtRequest, { signal })).data,
    refetchInterval: adsTxtRefetch,
  });
  return (
    <Stack gap="lg" maw={860}>
      <div>
        <Title order={1} size="h3">
          Ads.txt
        </Title>
        <Text c="dimmed" maw={640}>
          Buyers read ads.txt on your site, or app-ads.txt on your app developer's site, to see who may sell
          its ads. If our line is missing there, many of them do not bid.{' '}
          <Link to="/console/help/$page" params={{ page: 'publishers' }}>
            How to integrate our tags
          </Link>
        </Text>
      </div>
      {error && <ErrorNote error={error} />}
      {isPending && <Skeleton h={240} aria-label="Loading the lines" />}
      {data && <AdsTxtFiles files={data} order={2} />}
      {data && <ApiCall calls={{ 'Fetch your lines': adsTxtRequest }} />}
    </Stack>
  );
}
