import { Anchor, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiRequest } from '../api/call.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { clientOf, curlOf } from './call-text.ts';

/** What a program would send, in each of the languages that we show. */
export function Calls({ calls }: { readonly calls: Readonly<Record<string, ApiRequest>> }) {
  const names = Object.keys(calls);
  const [chosen, choose] = useState(names[0] ?? '');
  const request = calls[chosen] ?? calls[names[0] ?? ''];
  if (!request) return null;
  return (
    <Stack gap="sm">
      {names.length > 1 ? (
        <SegmentedControl aria-label="Action" data={names} value={chosen} onChange={choose} />
      ) : (
        <Text fw={500}>{names[0]}</Text>
      )}
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="client">TypeScript client</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <CodeBlock text={curlOf(request)} />
        </Tabs.Panel>
        <Tabs.Panel value="client">
          <CodeBlock text={clientOf(request)} />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        <code>BOURSE_TOKEN</code> is one of your API keys or access tokens. For the other parameters and the
        answer, see the <Anchor href="docs">API reference</Anchor>.
      </Text>
    </Stack>
  );
}
