import { Button, Group, Menu, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { type Stored, sendObject, type Values } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { objectName } from '../parts/object-name.ts';
import { useTimeZone } from '../parts/time-zone.ts';
import { dayStart } from '../parts/zone-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';
import { mutedUntil } from './alerts.ts';

const hourMs = 3_600_000;
const spans = [
  { label: 'For an hour', ms: hourMs },
  { label: 'For a day', ms: 24 * hourMs },
  { label: 'For a week', ms: 7 * 24 * hourMs },
] as const;

const inTime = (ms: number): Values => ({ Muted: 0, MutedUntil: new Date(Date.now() + ms).toISOString() });
const notMuted: Values = { Muted: 0, MutedUntil: '' };

function useMute(entity: ShownEntity, alert: Stored) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => sendObject(entity, 'update', { Id: alert.Id, ...values }),
    onSuccess: async ({ object }) => {
      announce(
        `${objectName(alert)} ${mutedUntil(object) === undefined ? 'is no longer muted' : 'is muted'}`,
      );
      await client.invalidateQueries({ queryKey: ['objects', entity.key] });
      await client.invalidateQueries({ queryKey: ['object', entity.key, alert.Id] });
    },
  });
}

interface MuteProps {
  readonly entity: ShownEntity;
  readonly alert: Stored;
}

/** Mutes an alert for a while, or lets it tell again. */
export function MuteMenu({ entity, alert }: MuteProps) {
  const mute = useMute(entity, alert);
  const may = mayChange(useAccount());
  const isMuted = mutedUntil(alert) !== undefined;
  const common = { size: 'xs', variant: 'default', disabled: !may, loading: mute.isPending } as const;
  const title = may ? undefined : analystReason;
  if (isMuted) {
    return (
      <Button {...common} title={title} onClick={() => mute.mutate(notMuted)}>
        Unmute<span className="visually-hidden"> of {objectName(alert)}</span>
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick>
      <Menu.Target>
        <Button {...common} title={title} leftSection={<BellOff size={14} />}>
          Mute<span className="visually-hidden"> {objectName(alert)}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {spans.map(({ label, ms }) => (
          <Menu.Item key={label} onClick={() => mute.mutate(inTime(ms))}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => mute.mutate({ Muted: 1, MutedUntil: '' })}>Until I unmute it</Menu.Item>
        <Menu.Divider />
        <UntilDay onChosen={(MutedUntil) => mute.mutate({ Muted: 0, MutedUntil })} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Mutes until a day begins, in the zone that whoever looks has chosen. */
function UntilDay({ onChosen }: { readonly onChosen: (time: string) => void }) {
  const [day, setDay] = useState('');
  const [zone] = useTimeZone();
  return (
    <Group gap={6} p={6} align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        size="xs"
        label="Until the morning of"
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <Button size="xs" disabled={day === ''} onClick={() => onChosen(dayStart(day, zone))}>
        Mute
      </Button>
    </Group>
  );
}
