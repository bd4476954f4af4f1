import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import type { NamedLink } from '../people.ts';

/** Shows a link once that sets a password. */
export function LinkDialog({ made, onClose }: { readonly made: NamedLink; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={`A link for ${made.name}`} size={520} centered>
      <Stack gap="md">
        <Text size="sm">
          Hand it over by a way that you trust; Bourse sends no mail. Whoever opens it chooses the password.
          It works once, within seven days, and is shown only now.
        </Text>
        <CopyText text={made.link} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
