import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { CallError } from '../api/call.ts';
import { errorBeside, faultAt } from '../parts/faults.ts';
import { type Account, logIn, wantsCode } from './session.ts';

interface FormProps {
  /** Whose session it was; nobody else's is wanted. */
  readonly mail?: string;
  /** A pair that is right, of somebody who has a second factor. */
  readonly accepted?: { readonly mail: string; readonly password: string };
  readonly onLogin: (account: Account) => void;
}

const appCode = /^\d{6}$/;

/** Asks for mail address and password, then for a code where the user has a second factor. */
export function LoginForm({ mail: known, accepted, onLogin }: FormProps) {
  const [mail, setMail] = useState(known ?? accepted?.mail ?? '');
  const [password, setPassword] = useState(accepted?.password ?? '');
  const [code, setCode] = useState<string | undefined>(accepted && '');
  const field = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: (sent: string | undefined) =>
      logIn({ Username: mail, Password: password, ...(sent && { Code: sent }) }),
    onSuccess: onLogin,
    onError(error) {
      if (wantsCode(error)) setCode((was) => was ?? '');
      field.current?.select();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate(code);
  };
  const type = (text: string) => {
    setCode(text);
    if (appCode.test(text)) login.mutate(text);
  };
  const isCodeWrong = Boolean(login.variables) && !login.isPending;
  const goBack = () => {
    setCode(undefined);
    login.reset();
  };
  return (
    <Stack gap="md" component="form" onSubmit={submit}>
      {failureText(login.error) && (
        <Alert color="red" role="alert">
          {failureText(login.error)}
        </Alert>
      )}
      {code === undefined ? (
        <Pair
          mail={mail}
          isMailKnown={known !== undefined}
          password={password}
          {...{ setMail, setPassword }}
        />
      ) : (
        <TextInput
          ref={field}
          label="Code"
          description="The six digits that your app shows now, or one of your recovery codes"
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          maxLength={64}
          size="md"
          value={code}
          error={isCodeWrong && codeFault(login.error)}
          onChange={({ currentTarget }) => type(currentTarget.value.trim())}
        />
      )}
      <Button type="submit" size="md" loading={login.isPending} disabled={code === ''}>
        {code === undefined ? 'Log in' : 'Go on'}
      </Button>
      {code !== undefined && !accepted && (
        <Anchor component="button" type="button" size="sm" onClick={goBack}>
          Back
        </Anchor>
      )}
    </Stack>
  );
}

/** Why it failed, unless by the code, where that stands. */
function failureText(error: Error | null): string | undefined {
  const isPairWrong = error instanceof CallError && error.status === 401 && !wantsCode(error);
  return isPairWrong ? 'The mail address or the password is wrong.' : errorBeside(error, ['Code'])?.message;
}

const codeFault = (error: Error | null) => {
  const text = faultAt(error, 'Code');
  return text && `The code ${text}`;
};

interface PairProps {
  readonly mail: string;
  readonly isMailKnown: boolean;
  readonly password: string;
  readonly setMail: (mail: string) => void;
  readonly setPassword: (password: string) => void;
}

function Pair({ mail, isMailKnown, password, setMail, setPassword }: PairProps) {
  return (
    <>
      <TextInput
        label="Mail address"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        size="md"
        readOnly={isMailKnown}
        variant={isMailKnown ? 'filled' : 'default'}
        autoFocus={!isMailKnown}
        value={mail}
        onChange={({ currentTarget }) => setMail(currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        size="md"
        data-autofocus={isMailKnown || undefined}
        autoFocus={isMailKnown}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </>
  );
}

/** What somebody can do who cannot log in. */
export const helpText = (
  <>
    No account? Lost the password, or the app with the codes? An administrator of your team helps, in
    Settings, Users. On the server, <code>bourse user password</code> sets a password.
  </>
);
