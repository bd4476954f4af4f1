import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { UrlEditor } from '../why/url-editor.tsx';

/** Helps to fill the macros of a URL, and gives it filled. */
export function FillMacros({ url }: { readonly url: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [filled, setFilled] = useState(url);
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={open}>
        Fill macros…
      </Button>
      <Modal opened={isOpen} onClose={close} title="The URL with its macros filled in" size="lg">
        <Stack>
          <Text size="sm" c="dimmed">
            A player fills them in for each request. A macro that is left as it is counts as absent.
          </Text>
          <UrlEditor urls={[url]} value={filled} onChange={setFilled} />
          <CopyText text={filled} />
        </Stack>
      </Modal>
    </>
  );
}
