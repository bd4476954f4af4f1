import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a settings screen under a heading of its own. */
export function Section({ title, text, action, children }: SectionProps) {
  return (
    <section>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Stack gap={2} flex="1 1 280px">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </Stack>
        {action}
      </Group>
      {children}
    </section>
  );
}
