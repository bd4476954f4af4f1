import { Button, Group, Stack, Text } from '@mantine/core';
import type { Integration } from '../../api/integrations.ts';

interface ChoiceProps {
  readonly known: readonly Integration[];
  readonly chosen: Integration;
  readonly onChoose: (name: string) => void;
}

/** The platforms by their groups, in the order of the answer. */
export function PlatformChoice({ known, chosen, onChoose }: ChoiceProps) {
  const groups = [...Map.groupBy(known, ({ Group: group }) => group)];
  return (
    <Stack gap="xs" role="group" aria-label="Platform">
      {groups.map(([group, rows]) => (
        <Group key={group} gap={6} align="center">
          {groups.length > 1 && (
            <Text size="xs" c="dimmed" w={{ base: '100%', sm: 84 }}>
              {group}
            </Text>
          )}
          {rows.map(({ Name, Title }) => (
            <Button
              key={Name}
              size="xs"
              variant={Name === chosen.Name ? 'filled' : 'default'}
              aria-pressed={Name === chosen.Name}
              onClick={() => onChoose(Name)}
            >
              {Title}
            </Button>
          ))}
        </Group>
      ))}
    </Stack>
  );
}
