import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { passwordLength } from '../../../src/reference/password-length.ts';
import type { ApiRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { useAccount } from '../../session/session-context.ts';
import { useAccessChange } from '../people.ts';
import { Section } from '../section.tsx';

const none = { Password: '', NewPassword: '' };

/** Sets another password of one's own. */
export function PasswordForm() {
  const { Mail } = useAccount();
  const [values, change] = useState(none);
  const set = useAccessChange('Password changed');
  const request = { path: 'api/auth/password', body: values } satisfies ApiRequest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(request, { onSuccess: () => change(none) });
  };
  const type = (name: keyof typeof none) => (event: { readonly currentTarget: HTMLInputElement }) => {
    if (set.isSuccess) set.reset();
    change({ ...values, [name]: event.currentTarget.value });
  };
  const failure = errorBeside(set.error, ['Password', 'NewPassword']);
  return (
    <Section
      title="Password"
      text="Changing the password ends your other sessions and access tokens. API keys stay valid."
    >
      <Stack gap="md" component="form" onSubmit={submit} maw={400}>
        {failure && <ErrorNote error={failure} />}
        <input type="hidden" autoComplete="username" value={Mail} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={values.Password}
          error={faultAt(set.error, 'Password')}
          onChange={type('Password')}
        />
        <PasswordInput
          label="New password"
          description={`${passwordLength.min} characters or more. Several words that only you would combine are best.`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          value={values.NewPassword}
          error={faultAt(set.error, 'NewPassword')}
          onChange={type('NewPassword')}
        />
        <Group>
          <Button
            type="submit"
            loading={set.isPending}
            disabled={values.Password === '' || values.NewPassword === ''}
          >
            Change the password
          </Button>
          <ApiCall calls={{ 'Change the password': request }} />
          {set.isSuccess && (
            <Text size="sm" c="dimmed">
              Changed. Your other sessions have ended.
            </Text>
          )}
        </Group>
      </Stack>
    </Section>
  );
}
