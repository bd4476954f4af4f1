import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../parts/error-note.tsx';
import { Shell } from '../shell/shell.tsx';
import { LoginScreen } from './login-screen.tsx';
import { accountQuery } from './session.ts';
import { SessionContext } from './session-context.ts';

/** Shows the console to who is logged in, and the login to everybody else. */
export function Gate() {
  const { data: account, error, isPending } = useQuery(accountQuery);
  if (isPending) {
    return (
      <Center mih="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (error) {
    return (
      <Center mih="100dvh" p="md">
        <ErrorNote error={error} />
      </Center>
    );
  }
  if (!account) return <LoginScreen />;
  return (
    <SessionContext value={account}>
      <Shell />
    </SessionContext>
  );
}
