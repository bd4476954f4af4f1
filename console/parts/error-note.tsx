import { Alert, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { isPassing } from '../api/call.ts';

/** Says what went wrong, and to screen readers at once; what the screen has asked for in vain can be asked for again. */
export function ErrorNote({ error }: { readonly error: Error }) {
  const client = useQueryClient();
  const failed = {
    type: 'active',
    predicate: ({ state }: { state: { status: string } }) => state.status === 'error',
  } as const;
  const canRetry = isPassing(error) && client.getQueryCache().findAll(failed).length > 0;
  return (
    <Alert color="red" variant="light" role="alert" title="That did not work">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {error.message}
      </Text>
      {canRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void client.refetchQueries(failed)}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
