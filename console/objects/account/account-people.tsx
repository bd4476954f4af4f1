import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ErrorNote } from '../../parts/error-note.tsx';
import { objectName } from '../../parts/object-name.ts';
import { administratorReason, mayManageUsers } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { type AccountField, type NamedLink, usersQuery } from '../../settings/people.ts';
import { Rows } from '../../settings/rows.tsx';
import { Section } from '../../settings/section.tsx';
import { Invitation } from '../../settings/users/invitation.tsx';
import { LinkDialog } from '../../settings/users/link-dialog.tsx';
import { UserRow } from '../../settings/users/user-row.tsx';
import { useShownObject } from '../object-context.ts';

const fields: readonly AccountField[] = ['PublisherId', 'AdvertiserId'];

/** Who can log in to see the account in the portal. */
export function AccountPeople() {
  const { entity, object } = useShownObject();
  const may = mayManageUsers(useAccount());
  const { data, error } = useQuery(usersQuery);
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<NamedLink>();
  const field = fields.find((name) => name === `${entity.key}Id`);
  if (!field) return null;
  const people = data?.filter((user) => user[field] === object.Id) ?? [];
  return (
    <>
      <Section
        title="People"
        text={
          may
            ? `Who can log in to the portal, and sees there only what is the ${entity.title.toLowerCase()}'s own.`
            : `Only administrators see who can log in to the portal. ${administratorReason}`
        }
        action={
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} />}
            disabled={!may}
            title={may ? undefined : administratorReason}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        }
      >
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton h={60} />}
        {may && data && people.length === 0 && (
          <Text size="sm" c="dimmed">
            Nobody yet.
          </Text>
        )}
        {people.length > 0 && (
          <Rows label="People">
            {people.map((user) => (
              <UserRow key={user.Id} user={user} onLink={setMade} />
            ))}
          </Rows>
        )}
      </Section>
      {isInviting && (
        <Invitation
          of={{ name: objectName(object), field, id: object.Id }}
          onClose={() => setInviting(false)}
          onInvited={setMade}
        />
      )}
      {made && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
