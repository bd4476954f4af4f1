import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ActionModal } from '../../parts/action-modal.tsx';
import { errorBeside, faultAt } from '../../parts/faults.ts';
import { partnerRole } from '../../session/session.ts';
import { type AccountField, type NamedLink, nameOfUser, useAccessChange } from '../people.ts';
import { RoleInput } from './role-input.tsx';

interface InvitationProps {
  /** The account that somebody is invited to see; else they join the team. */
  readonly of?: { readonly name: string; readonly field: AccountField; readonly id: number };
  readonly onClose: () => void;
  readonly onInvited: (made: NamedLink) => void;
}

const none = { Mail: '', FirstName: '', LastName: '', Role: 1, PublisherId: 0, AdvertiserId: 0 };
const fields = Object.keys(none);
/** With an account, all others are given. */
const textFields = ['Mail', 'FirstName', 'LastName'];

/** Adds somebody to the team, or to an account. */
export function Invitation({ of, onClose, onInvited }: InvitationProps) {
  const [values, change] = useState({ ...none, ...(of && { Role: partnerRole, [of.field]: of.id }) });
  const invite = useAccessChange<'api/auth/user/invite'>('Invited');
  const request = { path: 'api/auth/user/invite', body: values } satisfies ApiRequest;
  const text = (name: 'Mail' | 'FirstName' | 'LastName') => ({
    value: values[name],
    error: faultAt(invite.error, name),
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      change({ ...values, [name]: currentTarget.value }),
  });
  const submit = () =>
    invite.mutate(request, {
      onSuccess({ Link, User: user }) {
        onClose();
        onInvited({ name: `${nameOfUser(user)} <${user.Mail}>`, link: Link });
      },
    });
  return (
    <ActionModal
      title={of ? `Invite somebody of ${of.name}` : 'Invite somebody'}
      isOpen
      onClose={onClose}
      actionText="Invite"
      request={request}
      isPending={invite.isPending}
      error={errorBeside(invite.error, of ? textFields : fields)}
      onSubmit={submit}
    >
      <TextInput
        label="Mail address"
        description="For logging in; if this server sends mail, the invitation goes there"
        type="email"
        required
        withAsterisk={false}
        data-autofocus
        {...text('Mail')}
      />
      <Group grow align="flex-start">
        <TextInput label="First name" {...text('FirstName')} />
        <TextInput label="Last name" {...text('LastName')} />
      </Group>
      {!of && (
        <RoleInput
          values={values}
          error={invite.error}
          onChange={(changed) => change({ ...values, ...changed })}
        />
      )}
    </ActionModal>
  );
}
