import { Stack, Text, Title } from '@mantine/core';

/** What happens today. */
export function OverviewScreen() {
  return (
    <Stack>
      <Title order={1} size="h3">
        Overview
      </Title>
      <Text c="dimmed">Nothing yet.</Text>
    </Stack>
  );
}
