import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import type { NamedLink } from '../people.ts';

/** Shows a link once that sets a password. */
export function LinkDialog({ made, onClose }: { readonly made: NamedLink; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`A link for ${made.name}`} size={520} centered>
      <Stack gap="md">
        <Text size="sm">
          Send it to the user in a way that you trust; Bourse does not mail it. Anyone who opens it can choose
          the password. It works once, within seven days, and is shown only now.
        </Text>
        <CopyText text={made.link} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
