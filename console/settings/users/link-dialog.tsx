import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import type { NamedLink } from '../people.ts';

/** Shows a link once that sets a password, or says that it is mailed. */
export function LinkDialog({ made, onClose }: { readonly made: NamedLink; readonly onClose: () => void }) {
  const isMailed = made.link === '';
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${isMailed ? 'The invitation' : 'A link'} for ${made.name}`}
      size={520}
      centered
    >
      <Stack gap="md">
        <Text size="sm">
          {isMailed
            ? 'It is on its way by mail, with a link that works once, within seven days. If it does not arrive, make a link in the menu of the user, and send it in a way that you trust.'
            : 'Send it to the user in a way that you trust. Anyone who opens it can choose the password. It works once, within seven days, and is shown only now.'}
        </Text>
        {!isMailed && <CopyText text={made.link} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
