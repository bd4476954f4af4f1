import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { accountQuery, logIn } from './session.ts';

/** The screen for who is not logged in. `isExpired`: a session has ended, and what was typed is kept behind it. */
export function LoginScreen({ isExpired = false }: { readonly isExpired?: boolean }) {
  const [mail, setMail] = useState('');
  const [password, setPassword] = useState('');
  const client = useQueryClient();
  const login = useMutation({
    mutationFn: () => logIn(mail, password),
    onSuccess: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper w={380} p="xl" withBorder component="form" onSubmit={submit}>
        <Stack gap="md">
          <Title order={1} size="h2">
            Bourse
          </Title>
          <Text c="dimmed" size="sm">
            {isExpired
              ? 'Your session has ended. Log in again to go on where you were.'
              : 'Log in to your team.'}
          </Text>
          {login.error && (
            <Alert color="red" role="alert">
              {login.error.message}
            </Alert>
          )}
          <TextInput
            label="Mail address"
            type="email"
            autoComplete="username"
            required
            data-autofocus
            value={mail}
            onChange={({ currentTarget }) => setMail(currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={login.isPending}>
            Log in
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
