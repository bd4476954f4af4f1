import { Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** For addresses that lead nowhere. */
export function NotFound() {
  return (
    <Stack gap="xs" maw={560}>
      <Title order={1} size="h3">
        There is nothing here
      </Title>
      <Text c="dimmed">
        There is no such screen, or your team has no such object. The search (Ctrl K) finds objects by name
        and ID. <Link to="/">Back to the overview</Link>
      </Text>
    </Stack>
  );
}
