import { Box, Button, Code, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { TaggedObject } from '../../../src/reference/integration-snippet.ts';
import { integrationsFor, snippetOf } from '../../../src/reference/integration-snippet.ts';
import type { Integration } from '../../../src/reference/integrations.ts';
import type { Stored } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { HelpText } from '../../parts/help-text.tsx';
import { titleOf } from '../../parts/value-text.ts';
import { FillMacros } from './fill-macros.tsx';
import { regionTagsOf } from './tag-urls.ts';

/** What is chosen: a platform with its code. */
export interface ChosenTag {
  readonly integration: Integration;
  readonly code: string;
}

interface TagProps {
  readonly entity: ShownEntity;
  readonly object: Stored;
  /** The exchange's ID in the Global Vendor List; 0 = none, or not known. */
  readonly vendor: number;
  /** What is done with the code. */
  readonly actions: (chosen: ChosenTag) => ReactNode;
}

/** Ready code for each platform that can call a supply object, and what to do with it. */
export function GetTag({ entity, object, vendor: teamVendor, actions }: TagProps) {
  const regions = regionTagsOf(entity, object);
  const [region, setRegion] = useState(regions[0]?.region ?? '');
  const [platform, setPlatform] = useState('');
  const [ownVendor, setVendor] = useState<number>();
  const vendor = ownVendor ?? teamVendor;
  const handed = Object.entries(regions.find((one) => one.region === region)?.urls ?? {});
  const tagged: TaggedObject = { object, urls: handed.map(([, url]) => url), vendor };
  const known = integrationsFor(tagged.urls);
  const [name, integration] = known.find(([one]) => one === platform) ?? known[0] ?? [];
  const code = integration && snippetOf(integration, tagged);
  if (!name || !integration || code === undefined)
    return <Text c="dimmed">It has no URL to be called by.</Text>;
  return (
    <Stack gap="md" maw={860}>
      <Group gap="sm" justify="space-between">
        <Group gap={6} role="group" aria-label="Platform">
          {known.map(([key, { title }]) => (
            <Button
              key={key}
              size="xs"
              variant={key === name ? 'filled' : 'default'}
              aria-pressed={key === name}
              onClick={() => setPlatform(key)}
            >
              {title}
            </Button>
          ))}
        </Group>
        {regions.length > 1 && (
          <Select
            size="xs"
            w={180}
            aria-label="Region"
            allowDeselect={false}
            data={regions.map((one) => one.region)}
            value={region}
            onChange={(chosen) => setRegion(chosen ?? '')}
          />
        )}
      </Group>
      <Text size="sm">
        <HelpText text={integration.help} />{' '}
        <Link to="/console/help/$page" params={{ page: 'players' }}>
          More in the guide
        </Link>
      </Text>
      {integration.namesVendor && <VendorInput vendor={vendor} onChange={(number) => setVendor(number)} />}
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
      <Group gap="sm">{actions({ integration, code })}</Group>
      <HandedUrls urls={handed} />
    </Stack>
  );
}

interface VendorProps {
  readonly vendor: number;
  readonly onChange: (vendor: number) => void;
}

function VendorInput({ vendor, onChange }: VendorProps) {
  return (
    <NumberInput
      size="xs"
      maw={340}
      label="This exchange's ID in the Global Vendor List"
      description="Without it, Ad Manager does not fill in the consent string"
      placeholder="none"
      min={1}
      max={999_999}
      allowDecimal={false}
      value={vendor || ''}
      onChange={(number) => onChange(Number(number))}
    />
  );
}

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
