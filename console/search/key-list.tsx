import { Group, Kbd, Modal, Text } from '@mantine/core';
import { Fragment } from 'react';
import classes from './key-list.module.css';
import { keys } from './keys.ts';

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keys" size={480} centered>
      <dl className={classes.keys}>
        {keys.map(({ keys: pressed, does }) => (
          <Fragment key={does}>
            <dt>
              <Group gap={4} wrap="nowrap">
                {pressed.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </dt>
            <Text component="dd" size="sm" m={0}>
              {does}
            </Text>
          </Fragment>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt="md">
        On a Mac, Cmd does what Ctrl does here.
      </Text>
    </Modal>
  );
}
