import { Button, Stack, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNote } from './error-note.tsx';

export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = async () => {
    reset();
    await router.invalidate();
  };
  return (
    <Stack align="flex-start" p="lg">
      <Title order={1} size="h3">
        This screen could not be shown
      </Title>
      <ErrorNote error={error instanceof Error ? error : new Error(String(error))} />
      <Button variant="default" onClick={() => void again()}>
        Try again
      </Button>
    </Stack>
  );
}
