import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { alertPresets } from '../../src/reference/alert-presets.ts';
import { type Stored, sendObject, type Values } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { useCheck } from '../objects/settings/use-check.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { objectName } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';

type Preset = (typeof alertPresets)[number];

/** Whether an alert watches the same, whatever its bounds. */
const isLike = (alert: Stored, { values }: Preset) =>
  ['Condition', 'Measure', 'GroupBy'].every(
    (name) => String(alert[name] ?? '') === String((values as Values)[name] ?? ''),
  );

interface SuggestionsProps {
  readonly entity: ShownEntity;
  readonly alerts: readonly Stored[];
}

/** Good alerts that the team does not have yet, each added by one click. */
export function Suggestions({ entity, alerts }: SuggestionsProps) {
  const account = useAccount();
  const client = useQueryClient();
  const [isWished, setMailed] = useState(true);
  const may = mayChange(account);
  const Mails = [account.Mail];
  // The server warns where it sends no mail.
  const [{ values: tried }] = alertPresets;
  const { warnings } = useCheck(entity, 'add', { ...tried, Mails }, may);
  const sendsMail = may && !warnings.some(({ Path }) => Path?.startsWith(`${entity.wrapper}.Mails`));
  const isMailed = sendsMail && isWished;
  const adding = useMutation({
    mutationFn: (values: Values) => sendObject(entity, 'add', { ...values, ...(isMailed && { Mails }) }),
    onSuccess({ object }) {
      announce(`${objectName(object)} is added`);
      return client.invalidateQueries({ queryKey: ['objects', entity.key] });
    },
  });
  const missing = alertPresets.filter((preset) => !alerts.some((alert) => isLike(alert, preset)));
  if (missing.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Suggested alerts">
      <Text fw={600}>{alerts.length === 0 ? 'Good ones to start with' : 'Suggested'}</Text>
      {adding.error && <ErrorNote error={adding.error} />}
      <Group gap="xs">
        {missing.map(({ text, values }) => (
          <Button
            key={text}
            variant="default"
            h="auto"
            py={6}
            leftSection={<Plus size={16} />}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.4 } }}
            disabled={!may || adding.isPending}
            title={may ? undefined : analystReason}
            onClick={() => adding.mutate(values)}
          >
            {text}
          </Button>
        ))}
      </Group>
      {sendsMail && (
        <Checkbox
          size="xs"
          label={`Mail them to ${account.Mail}`}
          checked={isWished}
          onChange={({ currentTarget }) => setMailed(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
