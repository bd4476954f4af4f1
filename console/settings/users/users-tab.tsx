import { Box, Button, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { administratorReason, mayManageUsers } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { type NamedLink, usersQuery, usersRequest } from '../people.ts';
import { Rows } from '../rows.tsx';
import { Section } from '../section.tsx';
import { Invitation } from './invitation.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { UserRow } from './user-row.tsx';

export function UsersTab() {
  const may = mayManageUsers(useAccount());
  const { data, error } = useQuery(usersQuery);
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<NamedLink>();
  return (
    <Box maw={860}>
      <Section
        title="Users"
        text={
          may
            ? 'Who can log in to your team, and what each user can do.'
            : `You see yourself here. ${administratorReason}`
        }
        action={
          <Group gap="xs">
            <ApiCall calls={{ 'List users': usersRequest }} />
            <Button
              leftSection={<Plus size={16} />}
              disabled={!may}
              title={may ? undefined : administratorReason}
              onClick={() => setInviting(true)}
            >
              Invite
            </Button>
          </Group>
        }
      >
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton h={200} />}
        {data && (
          <Rows label="Users">
            {data.map((user) => (
              <UserRow key={user.Id} user={user} onLink={setMade} />
            ))}
          </Rows>
        )}
      </Section>
      {isInviting && <Invitation onClose={() => setInviting(false)} onInvited={setMade} />}
      {made && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </Box>
  );
}
