import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { type ApiRequest, sendRequest } from '../../api/call.ts';
import { objectQuery } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import type { ShownField } from '../../field-tables.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { titleOf } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';

const keptHours = 24;
const keptHoursMax = 168;

/** Replaces a credential by a fresh one; the old one works for a while. */
export function Rotate({ field }: { readonly field: ShownField }) {
  const [isOpen, { open, close }] = useDisclosure();
  const may = mayChange(useAccount());
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<RefreshCw size={12} />}
        disabled={!may}
        title={may ? undefined : analystReason}
        onClick={open}
      >
        Replace…
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Replace ${titleOf(field.name)}`}>
        <RotateForm field={field} onDone={close} />
      </Modal>
    </>
  );
}

function RotateForm({ field, onDone }: { readonly field: ShownField; readonly onDone: () => void }) {
  const { entity, object } = useShownObject();
  const [hours, setHours] = useState<number | string>(keptHours);
  const client = useQueryClient();
  const request = {
    path: `api/${entity.path}/rotate`,
    body: { [entity.wrapper]: { Id: object.Id, Field: field.name, KeepOldHours: Number(hours) } },
  } satisfies ApiRequest;
  const rotation = useMutation({
    mutationFn: () => sendRequest(request, { headers: { 'idempotency-key': crypto.randomUUID() } }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: objectQuery(entity, object.Id).queryKey });
      announce(`${titleOf(field.name)} replaced`);
      onDone();
    },
  });
  return (
    <Stack>
      <Text size="sm">
        A new credential is made, and the URLs that contain it change. Hand out the new URLs before the old
        credential ends.
      </Text>
      <NumberInput
        label="The old one works for"
        description="0 = it ends at once"
        suffix=" hours"
        min={0}
        max={keptHoursMax}
        value={hours}
        onChange={setHours}
      />
      {rotation.error && <ErrorNote error={rotation.error} />}
      <Group justify="flex-end">
        <ApiCall calls={{ Replace: request }} />
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
          Replace
        </Button>
      </Group>
    </Stack>
  );
}
