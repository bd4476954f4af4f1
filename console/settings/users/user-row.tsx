import { ActionIcon, Badge, Group, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { useNames } from '../../api/names.ts';
import { ActionModal } from '../../parts/action-modal.tsx';
import { errorBeside } from '../../parts/faults.ts';
import { administratorReason, mayManageUsers, roleNames } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { type NamedLink, nameOfUser, type User, useAccessChange } from '../people.ts';
import { Row } from '../rows.tsx';
import { UserEditor } from './user-editor.tsx';

/** What is asked about before it is done to a user. */
const acts = {
  deactivate: {
    title: 'Shut out',
    text: 'Ends all sessions and access tokens at once, and revokes the API keys, including those that programs use. The user can be let in again; the keys stay revoked.',
    done: 'The user is shut out',
    isGrave: true,
  },
  activate: {
    title: 'Let in again',
    text: 'The user can log in again with the same password. Revoked API keys stay revoked.',
    done: 'The user can log in again',
    isGrave: false,
  },
  resettotp: {
    title: 'Remove the second factor',
    text: 'For users who have lost the app and the recovery codes: the next login needs only the password. Make sure that the request really comes from this person.',
    done: 'The second factor is removed',
    isGrave: true,
  },
  resetlink: {
    title: 'Make a link to set the password',
    text: 'Anyone who opens the link can choose a new password. The old password works until then; earlier links no longer work.',
    done: 'The link is made',
    isGrave: false,
  },
} as const;
type Act = keyof typeof acts;

interface RowProps {
  readonly user: User;
  readonly onLink: (made: NamedLink) => void;
}

/** A user of the team, with what can be done. */
export function UserRow({ user, onLink }: RowProps) {
  const account = useAccount();
  const [asked, ask] = useState<Act | 'edit'>();
  const name = nameOfUser(user);
  const isSelf = user.Id === account.Id;
  return (
    <Row
      name={
        <Group gap="xs">
          {name}
          {isSelf && <Badge variant="light">you</Badge>}
          {user.Status === 1 && (
            <Badge variant="light" color="gray">
              shut out
            </Badge>
          )}
          {user.Invited === 1 && (
            <Badge variant="light" color="orange">
              invited
            </Badge>
          )}
          {user.SecondFactor === 1 && (
            <Badge variant="light" color="teal">
              second factor
            </Badge>
          )}
        </Group>
      }
      more={user.Mail}
      when={<RoleText user={user} />}
    >
      <UserMenu user={user} isSelf={isSelf} may={mayManageUsers(account)} ask={ask} />
      {asked === 'edit' && <UserEditor user={user} onClose={() => ask(undefined)} />}
      {asked && asked !== 'edit' && (
        <ConfirmAct act={asked} user={user} onClose={() => ask(undefined)} onLink={onLink} />
      )}
    </Row>
  );
}

/** What somebody is; of a partner, also whose. */
function RoleText({ user: { Role, PublisherId, AdvertiserId } }: Pick<RowProps, 'user'>) {
  const entity = PublisherId > 0 ? 'Publisher' : 'Advertiser';
  const id = PublisherId || AdvertiserId;
  const { [id]: name } = useNames(entity, id > 0 ? [id] : []);
  if (id === 0) return roleNames[Role];
  return (
    <>
      {roleNames[Role]} of {entity.toLowerCase()}{' '}
      <Link to="/console/$entity/$id" params={{ entity, id: String(id) }}>
        {name ?? id}
      </Link>
    </>
  );
}

interface MenuProps {
  readonly user: User;
  readonly isSelf: boolean;
  readonly may: boolean;
  readonly ask: (act: Act | 'edit') => void;
}

function UserMenu({ user, isSelf, may, ask }: MenuProps) {
  const isActive = user.Status === 0;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={`What to do with ${nameOfUser(user)}`}
          disabled={!may}
          title={may ? undefined : administratorReason}
        >
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask('edit')}>Change name and role…</Menu.Item>
        <Menu.Item
          renderRoot={(props) => (
            <Link to="/console/settings/users/$id/sessions" params={{ id: String(user.Id) }} {...props} />
          )}
        >
          Sessions
        </Menu.Item>
        {isActive && <Menu.Item onClick={() => ask('resetlink')}>{acts.resetlink.title}…</Menu.Item>}
        {user.SecondFactor === 1 && (
          <Menu.Item onClick={() => ask('resettotp')}>{acts.resettotp.title}…</Menu.Item>
        )}
        <Menu.Divider />
        {isActive ? (
          <Menu.Item
            color="red"
            disabled={isSelf}
            title={isSelf ? 'Only another administrator can do this for you' : undefined}
            onClick={() => ask('deactivate')}
          >
            {acts.deactivate.title}…
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => ask('activate')}>{acts.activate.title}…</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ConfirmActProps extends RowProps {
  readonly act: Act;
  readonly onClose: () => void;
}

function ConfirmAct({ act, user, onClose, onLink }: ConfirmActProps) {
  const { title, text, done, isGrave } = acts[act];
  const change = useAccessChange<`api/auth/user/${Act}`>(done);
  const request = { path: `api/auth/user/${act}`, body: { Id: user.Id } } satisfies ApiRequest;
  const name = nameOfUser(user);
  const submit = () =>
    change.mutate(request, {
      onSuccess(answer) {
        onClose();
        if ('Link' in answer) onLink({ name, link: answer.Link });
      },
    });
  return (
    <ActionModal
      title={`${name}: ${title.toLowerCase()}`}
      isOpen
      onClose={onClose}
      actionText={title}
      request={request}
      isGrave={isGrave}
      isPending={change.isPending}
      error={errorBeside(change.error, [])}
      onSubmit={submit}
    >
      {text}
    </ActionModal>
  );
}
