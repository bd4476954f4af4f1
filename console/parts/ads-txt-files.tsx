import { Badge, Text, Title } from '@mantine/core';
import type { AnswerTo } from '../api/answers.ts';
import classes from './ads-txt-files.module.css';
import { CopyText } from './copy-text.tsx';

/** What was found in a file, last, and what the publisher can do. */
const states = {
  found: { text: 'found', color: 'teal', help: '' },
  not_listed: { text: 'line missing', color: 'red', help: 'The file exists; add the line to it.' },
  no_file: { text: 'no file', color: 'orange', help: 'There is no such file; create one with the line.' },
  unknown: { text: 'not known yet', color: 'gray', help: 'It is being checked; look again in a minute.' },
} as const;

export type AdsTxtFile = AnswerTo<'api/portal/adstxt/get'>[number];

const againMs = 60_000;

/** What is not known is looked for, which takes a while. */
export const adsTxtRefetch = ({
  state,
}: {
  readonly state: { readonly data?: readonly AdsTxtFile[] | undefined };
}) => (state.data?.some(({ Places }) => Places.some(({ State }) => State === 'unknown')) ? againMs : false);

interface FilesProps {
  readonly files: readonly AdsTxtFile[];
  /** Of the headings, below that of the screen or of a section. */
  readonly order: 2 | 3;
}

/** The lines for ads.txt and app-ads.txt that name the exchange, and where they were found. */
export function AdsTxtFiles({ files, order }: FilesProps) {
  return files.map((file) => <FileSection key={file.File} file={file} order={order} />);
}

function FileSection({
  file: { File, Line, Places },
  order,
}: {
  readonly file: AdsTxtFile;
  readonly order: 2 | 3;
}) {
  return (
    <section className={classes.file} aria-label={File}>
      <Title order={order} size="h5" mb="xs">
        {File}
      </Title>
      <Text size="xs" c="dimmed">
        The line
      </Text>
      <CopyText text={Line} />
      {Places.length === 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          {File === 'ads.txt'
            ? 'No active tag names a site, so there is nowhere to look.'
            : 'No active tag names an app, so there is nowhere to look.'}
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
