import { Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FillMacros } from './fill-macros.tsx';
import { type PrivacyCaller, privacyCallers, withPrivacy } from './privacy-url.ts';

const callers = Object.keys(privacyCallers) as PrivacyCaller[];

/** The URL for callers that know what the visitor has consented to. */
function PrivacyUrl({ url }: { readonly url: string }) {
  const [caller, setCaller] = useState<PrivacyCaller>('Player');
  const [vendor, setVendor] = useState(0);
  const hasVendor = caller === 'Google Ad Manager';
  return (
    <Stack gap={4} mt="xs">
      <Text size="xs" c="dimmed">
        With the visitor's privacy signals, as macros of:
      </Text>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Who fills in the privacy signals"
          data={callers}
          value={caller}
          onChange={(chosen) => setCaller(chosen as PrivacyCaller)}
        />
        {hasVendor && (
          <NumberInput
            size="xs"
            w={220}
            aria-label="This exchange's number in the Global Vendor List"
            placeholder="Exchange's vendor number"
            min={1}
            max={999_999}
            allowDecimal={false}
            value={vendor || ''}
            onChange={(number) => setVendor(Number(number))}
          />
        )}
      </Group>
      <CopyText text={withPrivacy(url, caller, vendor)} />
    </Stack>
  );
}

/** A URL that was handed out; one with macros has helpers. */
export function ZoneUrl({ url }: { readonly url: string }) {
  return (
    <>
      <CopyText text={url} />
      {/\{\w+\}/.test(url) && (
        <>
          <FillMacros url={url} />
          <PrivacyUrl url={url} />
        </>
      )}
    </>
  );
}
