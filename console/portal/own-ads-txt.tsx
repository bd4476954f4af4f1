import { Badge, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import classes from './own-objects.module.css';

/** What was found in a file, last, and what the publisher can do. */
const states = {
  found: { text: 'found', color: 'teal', help: '' },
  not_listed: { text: 'line missing', color: 'red', help: 'The file exists; add the line to it.' },
  no_file: { text: 'no file', color: 'orange', help: 'There is no such file; create one with the line.' },
  unknown: { text: 'not known yet', color: 'gray', help: 'It is being checked; look again in a minute.' },
} as const;

interface AdsTxtFile {
  readonly File: string;
  readonly Line: string;
  readonly Places: readonly {
    readonly Place: string;
    readonly Url: string;
    readonly State: keyof typeof states;
    readonly OwnerDomain: string;
    readonly ManagerDomains: readonly string[];
  }[];
}

const adsTxtRequest = { path: 'api/portal/adstxt/get' } satisfies ApiRequest;
const againMs = 60_000;

/** The lines for ads.txt and app-ads.txt that name the exchange, and where they were found. */
export function OwnAdsTxt() {
  const { data, error, isPending } = useQuery({
    queryKey: ['own', 'ads-txt'],
    queryFn: async ({ signal }) => (await sendRequest(adsTxtRequest, { signal })).data,
    // What is not known is looked for, which takes a while.
    refetchInterval: ({ state }) =>
      state.data?.some(({ Places }) => Places.some(({ State }) => State === 'unknown')) ? againMs : false,
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
      {data?.map((file) => (
        <FileSection key={file.File} file={file} />
      ))}
      {data && <ApiCall calls={{ 'Fetch your lines': adsTxtRequest }} />}
    </Stack>
  );
}

function FileSection({ file: { File, Line, Places } }: { readonly file: AdsTxtFile }) {
  return (
    <section className={classes.object} aria-label={File}>
      <Title order={2} size="h5" mb="xs">
        {File}
      </Title>
      <Text size="xs" c="dimmed">
        Your line
      </Text>
      <CopyText text={Line} />
      {Places.length === 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          {File === 'ads.txt'
            ? 'None of your tags names a site, so there is nowhere to look.'
            : 'None of your tags names an app, so there is nowhere to look.'}
        </Text>
      ) : (
        <ul className={classes.places}>
          {Places.map((place) => (
            <PlaceRow key={place.Place + place.Url} place={place} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PlaceRow({ place }: { readonly place: AdsTxtFile['Places'][number] }) {
  const { Place, Url, State, OwnerDomain, ManagerDomains } = place;
  const { text, color, help } = states[State];
  const business = [
    ...(OwnerDomain === '' ? [] : [`owner: ${OwnerDomain}`]),
    ...ManagerDomains.map((domain) => `manager: ${domain}`),
  ];
  return (
    <li>
      <div>
        <bdi>{Place}</bdi>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{Url || "the site that the app's page in its store names"}</bdi>
          {help && ` – ${help}`}
        </Text>
        {business.length > 0 && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{business.join(' · ')}</bdi>
          </Text>
        )}
      </div>
      <Badge variant="light" color={color}>
        {text}
      </Badge>
    </li>
  );
}
