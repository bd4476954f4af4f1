import { Button, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { saveFile } from '../../parts/save-file.ts';

interface CodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Shows the codes once that stand for the app where it is lost. */
export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Text size="sm">
        The second factor is on. If you lose the app, each of these codes works once in its place. They are
        shown only now: do not keep them on the same phone.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
        {codes.map((code) => (
          <Text key={code} ff="monospace" size="sm">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            variant="default"
            leftSection={<Download size={16} />}
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'bourse-recovery-codes.txt')}
          >
            Download
          </Button>
        </Group>
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
