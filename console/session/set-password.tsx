import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { passwordLength } from '../../src/reference/password-length.ts';
import { errorBeside, faultAt } from '../parts/faults.ts';
import { LoginForm } from './login-form.tsx';
import { LoginFrame } from './login-frame.tsx';
import { type Account, accountQuery, logIn, setPassword, wantsCode } from './session.ts';

interface ScreenProps {
  readonly link: string;
  /** Leads to the login, for whom the link helps no more. */
  readonly onLeave: () => void;
}

/** For who opens an invitation, or a link to set the password anew: sets it, and logs in. */
export function SetPassword({ link, onLeave }: ScreenProps) {
  const client = useQueryClient();
  const [password, change] = useState('');
  const [accepted, setAccepted] = useState<{ readonly mail: string; readonly password: string }>();
  const enter = (account: Account) => {
    client.clear();
    client.setQueryData(accountQuery.queryKey, account);
    onLeave();
  };
  const set = useMutation({
    mutationFn: async () => {
      const mail = await setPassword(link, password);
      try {
        enter(await logIn({ Username: mail, Password: password }));
      } catch (error) {
        if (wantsCode(error)) setAccepted({ mail, password });
        else onLeave();
      }
    },
  });
  if (accepted) {
    return (
      <LoginFrame title="Your password is set" text="Now enter the code of your second factor.">
        <LoginForm accepted={accepted} onLogin={enter} />
      </LoginFrame>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  const failure = errorBeside(set.error, ['NewPassword', 'Link']);
  const used = faultAt(set.error, 'Link');
  return (
    <LoginFrame
      title="Choose your password"
      text="You were given a link to this console. It works once; from then on you log in with the password."
    >
      <Stack gap="md" component="form" onSubmit={submit}>
        {(used || failure) && (
          <Alert color="red" role="alert">
            {used ? `The link ${used}.` : failure?.message}
          </Alert>
        )}
        <PasswordInput
          label="New password"
          description={`${passwordLength.min} characters or more. Several words that only you would combine are best.`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          autoFocus
          size="md"
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          value={password}
          error={faultAt(set.error, 'NewPassword')}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
        <Button type="submit" size="md" loading={set.isPending}>
          Set the password and log in
        </Button>
        {used && (
          <Button variant="default" size="md" onClick={onLeave}>
            Log in with a password
          </Button>
        )}
      </Stack>
    </LoginFrame>
  );
}
