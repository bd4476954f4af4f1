import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { ApiRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';

interface ActionProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly actionText: string;
  readonly request: ApiRequest;
  /** Whether it ends something that somebody uses. */
  readonly isGrave?: boolean;
  readonly isPending: boolean;
  readonly error: Error | undefined;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Asks for what an action needs, or whether it is meant, and does it. */
export function ActionModal(props: ActionProps) {
  const { title, isOpen, onClose, actionText, request, isGrave = false, isPending } = props;
  const { error, onSubmit, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={480} centered>
      <Stack gap="md" component="form" onSubmit={submit}>
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" gap="xs">
          <ApiCall calls={{ [actionText]: request }} />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={isGrave ? 'red' : undefined} loading={isPending}>
            {actionText}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
