import { ActionIcon, Anchor, Modal, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Terminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiRequest } from '../api/call.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { clientOf, curlOf } from './call-text.ts';

interface CallProps {
  /** What can be done here, each by its name: the very requests that the console sends. */
  readonly calls: Readonly<Record<string, ApiRequest>>;
  /** Among the small buttons of a row. */
  readonly isSmall?: boolean;
}

let closeShown: (() => void) | undefined;

// Here before any dialog: Escape is to leave the one open from which this was opened.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !closeShown) return;
    event.stopImmediatePropagation();
    closeShown();
  },
  { capture: true },
);

/** Shows what a program would send to do the same. */
export function ApiCall({ calls, isSmall = false }: CallProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={isSmall ? 'sm' : 'lg'}
        aria-label="As API call"
        aria-description={Object.keys(calls).join(', ')}
        title="As API call"
        onClick={open}
      >
        <Terminal size={isSmall ? 14 : 16} />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title="As API call" size="xl">
        <Calls calls={calls} onClose={close} />
      </Modal>
    </>
  );
}

function Calls({ calls, onClose }: Pick<CallProps, 'calls'> & { readonly onClose: () => void }) {
  useEffect(() => {
    closeShown = onClose;
    return () => {
      closeShown = undefined;
    };
  }, [onClose]);
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
