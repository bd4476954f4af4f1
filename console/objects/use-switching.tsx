import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { figuresQuery } from '../api/figures.ts';
import { objectQuery, type Stored, useSwitch } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import { isActive, objectName } from '../parts/object-name.ts';
import { countText, moneyText, titleOf } from '../parts/value-text.ts';

/** What hangs on an object: what it owns, and what it has earned today. */
async function stakesOf(client: QueryClient, entity: ShownEntity, id: number): Promise<readonly string[]> {
  if (entity.side !== 'supply' && entity.side !== 'demand' && entity.side !== 'account') return [];
  const [{ object }, figures] = await Promise.all([
    client.fetchQuery(objectQuery(entity, id)),
    client.fetchQuery(figuresQuery(entity.key, [id])),
  ]);
  const owned = fieldsOf(entity)
    .filter(({ place, name }) => place === 'count' && Number(object[name]) > 0)
    .map(({ name }) => `${titleOf(name)}: ${countText(Number(object[name]))}`);
  const revenue = figures.get(id)?.Today.Revenue ?? 0;
  return [...owned, ...(revenue > 0 ? [`${moneyText(revenue)} revenue today`] : [])];
}

interface Asked {
  readonly object: Stored;
  readonly stakes: readonly string[];
}

/** Switches objects on and off: at once where nothing hangs on them, else after a question that says what does. */
export function useSwitching(entity: ShownEntity) {
  const client = useQueryClient();
  const toggle = useSwitch(entity);
  const [asked, setAsked] = useState<Asked>();
  const { mutate } = toggle;
  const turn = useCallback(
    (object: Stored) => mutate({ id: object.Id, name: objectName(object), isActive: !isActive(object) }),
    [mutate],
  );
  const looking = useMutation({
    // Figures that do not come hold nobody up.
    mutationFn: (object: Stored) => stakesOf(client, entity, object.Id).catch(() => []),
    onSuccess: (stakes, object) => (stakes.length > 0 ? setAsked({ object, stakes }) : turn(object)),
  });
  const { mutate: look } = looking;
  const change = useCallback(
    (object: Stored) => (isActive(object) ? look(object) : turn(object)),
    [look, turn],
  );
  const question: ReactNode = asked && (
    <Modal
      opened
      onClose={() => setAsked(undefined)}
      title={`Deactivate ${objectName(asked.object)}?`}
      centered
    >
      <Stack>
        <Text size="sm">It stops serving at once. What hangs on it:</Text>
        <ul style={{ margin: 0 }}>
          {asked.stakes.map((stake) => (
            <li key={stake}>{stake}</li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setAsked(undefined)}>
            Cancel
          </Button>
          <Button
            color="red"
            data-autofocus
            onClick={() => {
              setAsked(undefined);
              turn(asked.object);
            }}
          >
            Deactivate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  return {
    /** From on to off, and from off to on. */
    change,
    /** The object that is being switched. */
    pendingId: (toggle.isPending && toggle.variables.id) || (looking.isPending && looking.variables.Id),
    question,
  };
}
