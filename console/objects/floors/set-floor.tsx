import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendObject, type Values } from '../../api/objects.ts';
import { entityOf, type ShownEntity } from '../../field-tables.ts';
import { fieldsOf } from '../../fields.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { objectName } from '../../parts/object-name.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { offerUndo } from '../../shell/notices.ts';
import { useShownObject } from '../object-context.ts';

interface Suggestion {
  /** CPM, in the object's currency. */
  readonly floor: number;
  /** Absent = all. */
  readonly country: string | undefined;
}

type Shown = Pick<ReturnType<typeof useShownObject>, 'entity' | 'object'>;

/** The object's own bidfloor, or the one that it had before. */
async function setBidfloor({ entity, object }: Shown, floor: number) {
  const deed = (Bidfloor: unknown) => ({
    text: `The bid floor of ${objectName(object)} is now ${Bidfloor}`,
    run: () => sendObject(entity, 'update', { Id: object.Id, Bidfloor }),
  });
  await deed(floor).run();
  return [deed(floor), deed(object.Bidfloor)] as const;
}

/** A new floor rule for the object and a country. Undone by a switch, because nothing is deleted. */
async function addRule({ entity, object }: Shown, { floor, country }: Suggestion) {
  const rules = entityOf('FloorRule') as ShownEntity;
  const owners = fieldsOf(rules).find(({ references }) => references === entity.key);
  const Name = `${objectName(object)}, ${country}`;
  const added = await sendObject(rules, 'add', {
    Name,
    Floor: floor,
    Currency: object.Currency ?? '',
    Countries: [{ CC: country }],
    [owners?.name ?? '']: [object.Id],
  } satisfies Values);
  const deed = (operation: 'activate' | 'deactivate', text: string) => ({
    text: `The floor rule ${Name} ${text}`,
    run: () => sendObject(rules, operation, { Id: added.object.Id }),
  });
  return [deed('activate', `sets ${floor} from now on`), deed('deactivate', 'was deactivated')] as const;
}

/** Sets what the evidence suggests by one click: the object's floor, or that of a country by a floor rule. */
export function SetFloor({ floor, country }: Suggestion) {
  const shown = useShownObject();
  const may = mayChange(useAccount());
  const client = useQueryClient();
  const refresh = async () => {
    for (const queryKey of [['object'], ['objects'], ['history'], ['floors']])
      await client.invalidateQueries({ queryKey });
  };
  const setting = useMutation({
    async mutationFn() {
      const deeds = country ? await addRule(shown, { floor, country }) : await setBidfloor(shown, floor);
      const [done, opposite] = deeds.map(({ text, run }) => ({ text, run: () => run().then(refresh) }));
      if (done && opposite) offerUndo(done, opposite);
      await refresh();
    },
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        disabled={!may}
        title={may ? undefined : analystReason}
        loading={setting.isPending}
        onClick={() => setting.mutate()}
      >
        {country ? `Add a floor rule for ${country}: ${floor}` : `Set the bid floor to ${floor}`}
      </Button>
      {setting.error && <ErrorNote error={setting.error} />}
    </Stack>
  );
}
