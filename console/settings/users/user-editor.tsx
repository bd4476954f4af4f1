import { Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ActionModal } from '../../parts/action-modal.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { accountQuery } from '../../session/session.ts';
import { nameOfUser, type User, useAccessChange } from '../people.ts';
import { RoleInput } from './role-input.tsx';

const fields = ['FirstName', 'LastName', 'Role', 'PublisherId', 'AdvertiserId'];

/** Changes names and role of a user. */
export function UserEditor({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { Id } = user;
  const [values, change] = useState({
    FirstName: user.FirstName,
    LastName: user.LastName,
    Role: Number(user.Role),
    PublisherId: user.PublisherId,
    AdvertiserId: user.AdvertiserId,
  });
  const save = useAccessChange('User saved');
  const request = { path: 'api/auth/user/update', body: { Id, ...values } } satisfies ApiRequest;
  const submit = () =>
    save.mutate(request, {
      onSuccess() {
        void client.invalidateQueries({ queryKey: accountQuery.queryKey });
        onClose();
      },
    });
  return (
    <ActionModal
      title={nameOfUser(user)}
      isOpen
      onClose={onClose}
      actionText="Save"
      request={request}
      isPending={save.isPending}
      error={errorBeside(save.error, fields)}
      onSubmit={submit}
    >
      <Group grow align="flex-start">
        <TextInput
          label="First name"
          data-autofocus
          value={values.FirstName}
          error={faultAt(save.error, 'FirstName')}
          onChange={({ currentTarget }) => change({ ...values, FirstName: currentTarget.value })}
        />
        <TextInput
          label="Last name"
          value={values.LastName}
          error={faultAt(save.error, 'LastName')}
          onChange={({ currentTarget }) => change({ ...values, LastName: currentTarget.value })}
        />
      </Group>
      <RoleInput
        values={values}
        error={save.error}
        onChange={(changed) => change({ ...values, ...changed })}
      />
    </ActionModal>
  );
}
