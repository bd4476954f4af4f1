import { Badge, Button, Group, PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ActionModal } from '../../parts/action-modal.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { useAccount } from '../../session/session-context.ts';
import { useAccessChange, usersQuery } from '../people.ts';
import { Section } from '../section.tsx';
import { SetUp } from './set-up.tsx';

/** Whether a login needs a code beside the password, and what changes that. */
export function SecondFactor() {
  const { Id } = useAccount();
  const { data, error } = useQuery(usersQuery);
  const isOn = data?.find((user) => user.Id === Id)?.SecondFactor === 1;
  return (
    <Section
      title="Second factor"
      text="A login then also needs a code from an app on your phone, which changes every 30 seconds, so that nobody can log in with the password alone."
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={36} w={160} />}
      {data && (
        <Group>
          <Badge variant="light" color={isOn ? 'teal' : 'gray'} size="lg">
            {isOn ? 'on' : 'off'}
          </Badge>
          {isOn && <Removal />}
          <SetUp isOn={isOn} />
        </Group>
      )}
    </Section>
  );
}

const none = { Password: '', Code: '' };

function Removal() {
  const [isOpen, { open, close }] = useDisclosure();
  const [values, change] = useState(none);
  const remove = useAccessChange('The second factor is removed');
  const request = { path: 'api/auth/totp/remove', body: values } satisfies ApiRequest;
  const leave = () => {
    close();
    change(none);
    remove.reset();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Remove…
      </Button>
      <ActionModal
        title="Remove the second factor"
        isOpen={isOpen}
        onClose={leave}
        actionText="Remove"
        request={request}
        isGrave
        isPending={remove.isPending}
        error={errorBeside(remove.error, ['Password', 'Code'])}
        onSubmit={() => remove.mutate(request, { onSuccess: leave })}
      >
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={values.Password}
          error={faultAt(remove.error, 'Password')}
          onChange={({ currentTarget }) => change({ ...values, Password: currentTarget.value })}
        />
        <TextInput
          label="Code"
          description="The six digits that your app shows now, or one of your recovery codes"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={values.Code}
          error={faultAt(remove.error, 'Code')}
          onChange={({ currentTarget }) => change({ ...values, Code: currentTarget.value.trim() })}
        />
      </ActionModal>
    </>
  );
}
