import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { objectIn } from '../../api/answers.ts';
import { sendRequest } from '../../api/call.ts';
import { objectRequest } from '../../api/objects.ts';
import { fieldOf, fieldsOf } from '../../fields.ts';
import { Difference, Differences } from '../../parts/difference.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FieldValue } from '../../parts/field-value.tsx';
import { Moment } from '../../parts/moment.tsx';
import { titleOf, valueText } from '../../parts/value-text.ts';
import { useShownObject } from '../object-context.ts';
import { isSame } from '../settings/draft.ts';

/** Shows the object as it was at a time: what differed from now first, then the rest. */
export function AsOf({ time }: { readonly time: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={open}>
        As it was
      </Button>
      <Modal opened={isOpen} onClose={close} title="The object as it was" size="xl">
        {isOpen && <Values time={time} />}
      </Modal>
    </>
  );
}

function Values({ time }: { readonly time: string }) {
  const { entity, object } = useShownObject();
  const { data, error } = useQuery({
    queryKey: ['as-of', entity.key, object.Id, time],
    queryFn: async ({ signal }) =>
      objectIn((await sendRequest(objectRequest(entity, object.Id, time), { signal })).data),
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  const shown = fieldsOf(entity).filter(
    ({ name, presence, place }) => presence !== 'derived' && place !== 'listText' && name in data,
  );
  const differs = shown.filter(({ name }) => !isSame(data[name], object[name]));
  const same = shown.filter((field) => !differs.includes(field) && valueText(field, data[field.name]) !== '');
  const text = (name: string, value: unknown) => {
    const field = fieldOf(entity, name);
    return field && <FieldValue field={field} value={value} none="empty" />;
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        After the change of <Moment time={time} />
        {differs.length === 0
          ? '; it has not changed since.'
          : `; ${differs.length} fields have changed since.`}
      </Text>
      <Differences>
        {differs.map(({ name }) => (
          <Difference
            key={name}
            name={titleOf(name)}
            before={text(name, data[name])}
            after={text(name, object[name])}
          />
        ))}
      </Differences>
      {same.map(({ name }) => (
        <Group key={name} gap="xs">
          <Text size="sm" c="dimmed">
            {titleOf(name)}
          </Text>
          <Text size="sm">{text(name, data[name])}</Text>
        </Group>
      ))}
    </Stack>
  );
}
