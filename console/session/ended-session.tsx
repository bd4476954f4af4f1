import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { goOn } from '../api/session-end.ts';
import { announce } from '../shell/announcements.ts';
import { LoginForm } from './login-form.tsx';
import { type Account, accountQuery } from './session.ts';

/** Where a session has ended: asks to log in again, over all that was shown and typed, which then goes on. */
export function EndedSession({ account }: { readonly account: Account }) {
  const client = useQueryClient();
  const proceed = (found: Account) => {
    // What waits was asked in the name of whoever was here before.
    if (found.Id !== account.Id) return location.reload();
    client.setQueryData(accountQuery.queryKey, found);
    goOn();
    announce('Logged in again');
  };
  // There is a session where the answer came late, or where somebody has logged in in another tab.
  const { data: found } = useQuery({
    ...accountQuery,
    queryKey: ['account', 'again'],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each account that is found
  useEffect(() => {
    if (found) proceed(found);
  }, [found]);
  return (
    <Modal
      opened={found === null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      centered
      size={400}
      overlayProps={{ backgroundOpacity: 0.35, blur: 2 }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Log in again to continue where you were: nothing that you typed is lost.
        </Text>
        <LoginForm mail={account.Mail} onLogin={proceed} />
        <Anchor component="button" type="button" size="sm" onClick={() => location.reload()}>
          Log in as somebody else
        </Anchor>
      </Stack>
    </Modal>
  );
}
