import { Alert } from '@mantine/core';

/** Says what went wrong, and to screen readers at once. */
export function ErrorNote({ error }: { readonly error: Error }) {
  return (
    <Alert color="red" variant="light" role="alert" title="That did not work">
      {error.message}
    </Alert>
  );
}
