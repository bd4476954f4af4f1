import { Box, Code, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Integration, integrationsQuery } from '../../api/integrations.ts';
import type { Stored } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { HelpText } from '../../parts/help-text.tsx';
import { titleOf } from '../../parts/value-text.ts';
import { CopyCode } from './copy-code.tsx';
import { DownloadCode } from './download-code.tsx';
import { FillMacros } from './fill-macros.tsx';
import { PlatformChoice } from './platform-choice.tsx';
import { regionTagsOf } from './tag-urls.ts';

/** What is chosen: a platform with its code. */
export interface ChosenTag {
  readonly integration: Integration;
  readonly code: string;
}

interface TagProps {
  readonly entity: ShownEntity;
  readonly object: Stored;
  /** What else is done with the code. */
  readonly actions?: (chosen: ChosenTag) => ReactNode;
}

/** Ready code for each platform that can call a supply object, and what to do with it. */
export function GetTag({ entity, object, actions }: TagProps) {
  const { data: known, error } = useQuery(integrationsQuery(entity, object));
  const [platform, setPlatform] = useState('');
  const [region, setRegion] = useState('');
  if (error) return <ErrorNote error={error} />;
  if (!known) return <Skeleton h={420} maw={860} aria-label="Loading the code" />;
  const integration = known.find(({ Name }) => Name === platform) ?? known[0];
  const chosen = integration?.Codes.find(({ Region }) => Region === region) ?? integration?.Codes[0];
  if (!integration || !chosen) return <Text c="dimmed">It has no URL to be called by.</Text>;
  const { Help, Guide, FileName, Codes } = integration;
  const code = chosen.Code;
  return (
    <Stack gap="md" maw={860}>
      <PlatformChoice known={known} chosen={integration} onChoose={setPlatform} />
      <Text size="sm">
        <HelpText text={Help} />{' '}
        <Link to="/console/help/$page" params={{ page: Guide }}>
          More in the guide
        </Link>
      </Text>
      <Code
        block
        mah={420}
        tabIndex={0}
        aria-label="The code"
        role="region"
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {code}
      </Code>
      <Group gap="sm">
        <CopyCode code={code} />
        <DownloadCode code={code} fileName={FileName} />
        {actions?.({ integration, code })}
        {Codes.length > 1 && (
          <Select
            w={180}
            aria-label="Region"
            allowDeselect={false}
            data={Codes.map(({ Region }) => Region)}
            value={chosen.Region}
            onChange={(name) => setRegion(name ?? '')}
          />
        )}
      </Group>
      <HandedUrls urls={urlsIn(entity, object, chosen.Region)} />
    </Stack>
  );
}

const urlsIn = (entity: ShownEntity, object: Stored, region: string) =>
  Object.entries(regionTagsOf(entity, object).find((one) => one.region === region)?.urls ?? {});

/** As the API returns them, for whatever has no code of its own. */
function HandedUrls({ urls }: { readonly urls: readonly (readonly [string, string])[] }) {
  return (
    <details>
      <Text component="summary" size="sm">
        {urls.length > 1 ? 'The URLs alone' : 'The URL alone'}
      </Text>
      <Stack gap="xs" mt="xs">
        {urls.map(([title, url]) => (
          <Box key={title}>
            {urls.length > 1 && (
              <Text size="xs" c="dimmed">
                {titleOf(title)}
              </Text>
            )}
            <CopyText text={url} />
            {/\{\w+\}/.test(url) && <FillMacros url={url} />}
          </Box>
        ))}
      </Stack>
    </details>
  );
}
