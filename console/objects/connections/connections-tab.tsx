import { Stack, Text } from '@mantine/core';
import { fieldsOf } from '../../fields.ts';
import { useShownObject } from '../object-context.ts';
import { useDraft } from '../settings/draft.ts';
import { UnsavedChanges } from '../settings/unsaved-changes.tsx';
import { useChangeCheck } from '../settings/use-check.ts';
import { ConnectedObjects } from './connected-objects.tsx';

/** The other side: which objects are connected, in which order, and which pairs can never match. */
export function ConnectionsTab() {
  const { entity, object } = useShownObject();
  const draft = useDraft(`${entity.key}-${object.Id}`, object);
  const { changed } = draft;
  const checked = useChangeCheck(entity, object, changed);
  const fields = fieldsOf(entity).filter(
    ({ section, place }) => section === 'Connections' && place === 'connection',
  );
  return (
    <Stack gap="xl" maw={860} pb={96}>
      {fields.map((field) => (
        <ConnectedObjects key={field.name} field={field} draft={draft} />
      ))}
      {checked.warnings.map(({ Path, Message }) => (
        <Text key={Path + Message} size="sm" c="orange" role="status">
          {Message}
        </Text>
      ))}
      <UnsavedChanges draft={draft} checked={checked} />
    </Stack>
  );
}
