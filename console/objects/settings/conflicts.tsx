import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ShownEntity } from '../../field-tables.ts';
import { fieldOf } from '../../fields.ts';
import { FieldValue } from '../../parts/field-value.tsx';
import { titleOf } from '../../parts/value-text.ts';
import type { DraftValues } from './draft.ts';

/** Shows field by field what someone else has changed meanwhile, and asks which value is to stay. */
export function Conflicts({ entity, draft }: { readonly entity: ShownEntity; readonly draft: DraftValues }) {
  if (draft.conflicts.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      mb="sm"
      title="Someone else has changed this object in the meantime"
      role="alert"
    >
      <Stack gap="xs">
        {draft.conflicts.map(({ field, mine, theirs, before }) => {
          const row = fieldOf(entity, field);
          const text = (value: unknown) => row && <FieldValue field={row} value={value} none="empty" />;
          return (
            <Group key={field} gap="sm">
              <Text size="sm" flex={1}>
                <b>{titleOf(field)}</b> was {text(before)}; they have made it {text(theirs)}, you {text(mine)}
                .
              </Text>
              <Button size="compact-sm" variant="default" onClick={() => draft.drop(field)}>
                Take theirs
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => draft.keepMine(field)}>
                Keep mine
              </Button>
            </Group>
          );
        })}
      </Stack>
    </Alert>
  );
}
