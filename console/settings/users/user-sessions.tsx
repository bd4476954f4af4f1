import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiCall } from '../../api-call/api-call.tsx';
import { administratorReason, mayManageUsers } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { nameOfUser, sessionsRequest, usersQuery } from '../people.ts';
import { Section } from '../section.tsx';
import { SessionRows } from '../session-rows.tsx';

/** Where somebody of the team is logged in, for administrators. */
export function UserSessions() {
  const { id } = useParams({ from: '/console/settings/users/$id/sessions' });
  const account = useAccount();
  const { data } = useQuery(usersQuery);
  const user = data?.find(({ Id }) => Id === Number(id));
  return (
    <Box maw={860}>
      <Text size="sm" c="dimmed" mb={4}>
        <Link to="/console/settings/users">Users</Link> / {user ? nameOfUser(user) : id}
      </Text>
      <Section
        title={`Where ${user ? nameOfUser(user) : `user ${id}`} is logged in`}
        text="Browsers and access tokens that act for this user."
        action={<ApiCall calls={{ 'List sessions': sessionsRequest(Number(id)) }} />}
      >
        {mayManageUsers(account) || account.Id === Number(id) ? (
          <SessionRows userId={Number(id)} />
        ) : (
          <Text size="sm">{administratorReason}</Text>
        )}
      </Section>
    </Box>
  );
}
