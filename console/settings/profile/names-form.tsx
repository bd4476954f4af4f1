import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import {
  accountQuery,
  administratorReason,
  mayManageUsers,
  roleNames,
  roleTexts,
} from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useAccessChange } from '../people.ts';
import { Section } from '../section.tsx';

interface Names {
  readonly FirstName: string;
  readonly LastName: string;
}

/** The user's own names, which history shows beside each change. */
export function NamesForm() {
  const account = useAccount();
  const client = useQueryClient();
  const may = mayManageUsers(account);
  const [{ FirstName, LastName }, change] = useState<Names>(account);
  const save = useAccessChange('Names saved');
  const request = {
    path: 'api/auth/user/update',
    body: { Id: account.Id, FirstName, LastName },
  } satisfies ApiRequest;
  const isSame = FirstName === account.FirstName && LastName === account.LastName;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(request, {
      onSuccess: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
    });
  };
  const failure = errorBeside(save.error, ['FirstName', 'LastName']);
  const common = { disabled: !may, title: may ? undefined : administratorReason, flex: '1 1 200px' };
  return (
    <Section
      title="You"
      text={`${account.Mail}, ${roleNames[account.Role]?.toLowerCase()}: ${roleTexts[account.Role]?.toLowerCase()}. The history shows your name with your changes.`}
    >
      <Stack gap="md" component="form" onSubmit={submit}>
        {failure && <ErrorNote error={failure} />}
        <Group align="flex-start">
          <TextInput
            {...common}
            label="First name"
            autoComplete="given-name"
            value={FirstName}
            error={faultAt(save.error, 'FirstName')}
            onChange={({ currentTarget: { value } }) => change({ FirstName: value, LastName })}
          />
          <TextInput
            {...common}
            label="Last name"
            autoComplete="family-name"
            value={LastName}
            error={faultAt(save.error, 'LastName')}
            onChange={({ currentTarget: { value } }) => change({ FirstName, LastName: value })}
          />
        </Group>
        <Group>
          <Button
            type="submit"
            disabled={!may || isSame}
            title={may ? undefined : administratorReason}
            loading={save.isPending}
          >
            Save
          </Button>
          <ApiCall calls={{ 'Save names': request }} />
        </Group>
      </Stack>
    </Section>
  );
}
