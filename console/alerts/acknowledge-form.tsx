import { Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { ActionModal } from '../parts/action-modal.tsx';
import { announce } from '../shell/announcements.ts';
import type { Finding } from './alerts.ts';

const requestOf = (Id: number, Name: string, Note: string) =>
  ({
    path: 'api/alert/acknowledge',
    body: { Id, Name, Note },
  }) satisfies ApiRequest;

interface FormProps {
  readonly finding: Finding;
  readonly onClose: () => void;
}

export function AcknowledgeForm({ finding, onClose }: FormProps) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const client = useQueryClient();
  const request = requestOf(finding.Id, name, note);
  const sending = useMutation({
    mutationFn: () => sendRequest(request),
    async onSuccess() {
      announce('It is acknowledged');
      await client.invalidateQueries({ queryKey: ['alert-log'] });
      onClose();
    },
  });
  return (
    <ActionModal
      title="Acknowledge"
      isOpen
      onClose={onClose}
      actionText="Acknowledge it"
      request={request}
      isPending={sending.isPending}
      error={sending.error ?? undefined}
      onSubmit={() => sending.mutate()}
    >
      <Text size="sm">It continues to fire. No more reminders are sent, but its end is.</Text>
      <TextInput
        label="Who is taking care of it"
        description="Empty = you"
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label="Note"
        autosize
        maxLength={1000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </ActionModal>
  );
}
