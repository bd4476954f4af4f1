import { Button, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Terminal } from 'lucide-react';
import type { Operation, Values } from '../../api/objects.ts';
import type { ShownEntity } from '../../field-tables.ts';
import { CodeBlock } from '../../parts/code-block.tsx';

interface CallProps {
  readonly entity: ShownEntity;
  readonly operation: Operation;
  readonly values: Values;
  readonly tag?: string;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ entity, operation, values, tag }: CallProps): string {
  const url = new URL(`api/${entity.path}/${operation}`, document.baseURI);
  const body = JSON.stringify({ [entity.wrapper]: values }, undefined, 2);
  return [
    `curl ${url}`,
    '-H \'Authorization: Bearer \'"$BOURSE_TOKEN"',
    ...(tag ? [`-H ${quoted(`If-Match: ${tag}`)}`] : []),
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

function clientOf({ entity, operation, values, tag }: CallProps): string {
  const body = JSON.stringify({ [entity.wrapper]: values }, undefined, 2).replaceAll('\n', '\n    ');
  const headers = tag ? `\n    params: { header: { 'If-Match': ${JSON.stringify(tag)} } },` : '';
  const baseUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
  return `import { answerOf, createBourseClient } from 'bourse/client';

const bourse = createBourseClient({ baseUrl: '${baseUrl}', token: process.env.BOURSE_TOKEN });
await answerOf(
  bourse.POST('/api/${entity.path}/${operation}', {${headers}
    body: ${body},
  }),
);`;
}

/** Shows what a script would send to do the same. */
export function ApiCall(props: CallProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" leftSection={<Terminal size={16} />} onClick={open}>
        As API call
      </Button>
      <Modal opened={isOpen} onClose={close} title="The same as an API call" size="xl">
        <Tabs defaultValue="curl">
          <Tabs.List mb="sm">
            <Tabs.Tab value="curl">curl</Tabs.Tab>
            <Tabs.Tab value="client">TypeScript client</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="curl">
            <CodeBlock text={curlOf(props)} />
          </Tabs.Panel>
          <Tabs.Panel value="client">
            <CodeBlock text={clientOf(props)} />
          </Tabs.Panel>
        </Tabs>
        <Stack mt="sm">
          <Text size="sm" c="dimmed">
            With an access token or API key in place of yours. Add <code>?DryRun=1</code> to check without
            changing anything.
          </Text>
        </Stack>
      </Modal>
    </>
  );
}
