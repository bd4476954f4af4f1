import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AnswerTo } from '../../api/answers.ts';
import type { ApiRequest } from '../../api/call.ts';
import { ActionModal } from '../../parts/action-modal.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { useAccessChange } from '../people.ts';

const paths = { label: 'ApiKey.Label', end: 'ApiKey.ExpiresAt' };

/** Adds a key, and shows it once. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [Label, setLabel] = useState('');
  const [lastDay, setLastDay] = useState('');
  const add = useAccessChange<'api/auth/apikey/add'>('Key added');
  if (add.data) return <NewKeyText apiKey={add.data.ApiKey} onClose={onClose} />;
  const request = {
    path: 'api/auth/apikey/add',
    body: { ApiKey: { Label, ExpiresAt: lastDay === '' ? '' : `${lastDay}T00:00:00Z` } },
  } satisfies ApiRequest;
  return (
    <ActionModal
      title="New API key"
      isOpen
      onClose={onClose}
      actionText="Add"
      request={request}
      isPending={add.isPending}
      error={errorBeside(add.error, Object.values(paths))}
      onSubmit={() => add.mutate(request)}
    >
      <TextInput
        label="What it is for"
        placeholder="nightly report"
        required
        withAsterisk={false}
        data-autofocus
        maxLength={100}
        value={Label}
        error={faultAt(add.error, paths.label)}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <TextInput
        label="Ends on"
        description="At the start of that day (UTC); without a day it never ends"
        type="date"
        value={lastDay}
        error={faultAt(add.error, paths.end)}
        onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
      />
    </ActionModal>
  );
}

interface ShownProps {
  readonly apiKey: AnswerTo<'api/auth/apikey/add'>['ApiKey'];
  readonly onClose: () => void;
}

function NewKeyText({ apiKey, onClose }: ShownProps) {
  const url = new URL('api/auth/account', document.baseURI);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`The key of ${apiKey.Label}`}
      size={560}
      centered
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm">It is shown only now. Keep it as safe as a password.</Text>
        <CopyText text={apiKey.Key} />
        <Text size="sm" c="dimmed">
          To try it:
        </Text>
        <CodeBlock text={`curl -H 'Authorization: Bearer ${apiKey.Key}' \\\n  ${url}`} />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
