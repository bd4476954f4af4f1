import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { objectIn } from '../../api/answers.ts';
import { sendRequest } from '../../api/call.ts';
import { objectRequest } from '../../api/objects.ts';
import { fieldsOf, type SentencePart, sentenceOf } from '../../fields.ts';
import { Difference, Differences } from '../../parts/difference.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Saying } from '../../parts/field-value.tsx';
import { Moment } from '../../parts/moment.tsx';
import { sentenceText } from '../../parts/sentence.ts';
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
  const fields = fieldsOf(entity).filter(
    ({ name, presence, place }) => presence !== 'derived' && place !== 'listText' && name in data,
  );
  const shown = [...new Set(fields.map((field) => sentenceOf(field)[0]))];
  const differs = shown.filter((field) =>
    sentenceOf(field).some(({ name }) => !isSame(data[name], object[name])),
  );
  const text = (field: SentencePart) =>
    field.phrase ? sentenceText(sentenceOf(field), data) : valueText(field, data[field.name]);
  const same = shown.filter((field) => !differs.includes(field) && text(field) !== '');
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        After the change of <Moment time={time} />
        {differs.length === 0
          ? '; it has not changed since.'
          : `; ${differs.length} fields have changed since.`}
      </Text>
      <Differences>
        {differs.map((field) => (
          <Difference
            key={field.name}
            name={titleOf(field.name)}
            before={<Saying field={field} values={data} />}
            after={<Saying field={field} values={object} />}
          />
        ))}
      </Differences>
      {same.map((field) => (
        <Group key={field.name} gap="xs">
          <Text size="sm" c="dimmed">
            {titleOf(field.name)}
          </Text>
          <Text size="sm">
            <Saying field={field} values={data} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
