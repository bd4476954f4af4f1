import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { helpText, LoginForm } from './login-form.tsx';
import { LoginFrame } from './login-frame.tsx';
import { accountQuery } from './session.ts';

/** The screen for who is not logged in. `failure`: why a link did not do it. */
export function LoginScreen({ failure }: { readonly failure?: Error | undefined }) {
  const client = useQueryClient();
  return (
    <LoginFrame
      title="Log in to Bourse"
      text="Use the mail address that your team knows you by."
      foot={helpText}
    >
      {failure && (
        <Alert color="orange" role="alert" mb="md">
          {failure.message}
        </Alert>
      )}
      <LoginForm onLogin={(account) => client.setQueryData(accountQuery.queryKey, account)} />
    </LoginFrame>
  );
}
