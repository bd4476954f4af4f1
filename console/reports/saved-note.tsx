import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { changeRequest, type Stored, type Values } from '../api/objects.ts';
import type { ShownField } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { FieldInput } from '../objects/settings/field-input.tsx';
import { useCheck } from '../objects/settings/use-check.ts';
import { ActionModal } from '../parts/action-modal.tsx';
import { errorBeside, faultAt } from '../parts/faults.ts';
import { isActive } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { reportEntity, useSaving } from './saved-reports.tsx';

/** The fields of a report that say when it is sent, and to whom. */
const sendingFields = (): readonly ShownField[] =>
  fieldsOf(reportEntity()).filter(({ section, presence }) => section === 'Sending' && presence !== 'derived');

/** Of a saved report: when it is sent or why it cannot be, and where that is changed. */
export function SavedNote({ saved }: { readonly saved: Stored }) {
  const schedule = sendingFields().find(({ name }) => name === 'Schedule');
  const isSent = Number(saved.Schedule) !== 0 && isActive(saved);
  const when = schedule?.labels?.[String(saved.Schedule)] ?? '';
  const reason = mayChange(useAccount()) ? undefined : analystReason;
  const [isOpen, { open, close }] = useDisclosure();
  // The server warns of what would keep it from being sent.
  const { warnings } = useCheck(reportEntity(), 'update', { Id: saved.Id }, isSent && !reason);
  const isBlocked = warnings.some(({ Path }) => !Path?.startsWith('Report.Mails')) || !saved.WebhookUrl;
  const sentText = `Sent ${when.toLowerCase()}, from ${saved.ScheduleHour}:00.`;
  return (
    <Group gap="xs">
      {warnings.length > 0 ? (
        <Text size="sm" c="red">
          {isBlocked ? 'Cannot be sent: ' : 'Sent to the webhook alone: '}
          {warnings.map(({ Message }) => Message).join('; ')}.
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {isSent ? sentText : 'Not sent to anyone.'}
        </Text>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        className="screenOnly"
        disabled={reason !== undefined}
        title={reason}
        onClick={open}
      >
        Schedule and receivers
      </Button>
      {isOpen && <SendingDialog saved={saved} onClose={close} />}
    </Group>
  );
}

interface DialogProps {
  readonly saved: Stored;
  readonly onClose: () => void;
}

/** When a saved report is sent, to whom, and in what form. */
function SendingDialog({ saved, onClose }: DialogProps) {
  const entity = reportEntity();
  const [changed, setChanged] = useState<Values>({});
  const saving = useSaving('update');
  const values = { Id: saved.Id, ...changed };
  const { faults, warnings } = useCheck(entity, 'update', values, Object.keys(changed).length > 0);
  const fields = sendingFields();
  const pathOf = (name: string) => `${entity.wrapper}.${name}`;
  const messageAt = (path: string) =>
    faultAt(saving.error, path) ?? faults.find(({ Path }) => Path === path)?.Message;
  return (
    <ActionModal
      title="Schedule and receivers"
      isOpen
      onClose={onClose}
      actionText="Save"
      request={changeRequest(entity, 'update', values)}
      isPending={saving.isPending}
      error={errorBeside(
        saving.error,
        fields.map(({ name }) => pathOf(name)),
      )}
      onSubmit={() => saving.mutate(values, { onSuccess: onClose })}
    >
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={changed[field.name] ?? saved[field.name]}
          error={messageAt(pathOf(field.name))}
          isDisabled={false}
          isRequired={false}
          onChange={(value) => setChanged((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {warnings.map(({ Path = '', Message }) => (
        <Text key={Path + Message} size="sm" c="orange">
          {Message}
        </Text>
      ))}
    </ActionModal>
  );
}
