import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ActionModal } from '../../parts/action-modal.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { errorBeside } from '../../parts/faults.ts';
import { Moment } from '../../parts/moment.tsx';
import { analystReason, mayChange, mayManageUsers } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { type ApiKey, keysQuery, keysRequest, nameOfUser, useAccessChange, usersQuery } from '../people.ts';
import { Row, Rows } from '../rows.tsx';
import { Section } from '../section.tsx';
import { NewKey } from './new-key.tsx';

export function KeysTab() {
  const account = useAccount();
  const may = mayChange(account);
  const { data, error } = useQuery(keysQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <Box maw={860}>
      <Section
        title="API keys"
        text={`Tokens for programs, which send them as "Authorization: Bearer <key>" and act for the user who added them. ${mayManageUsers(account) ? "You see all of the team's." : 'You see your own.'}`}
        action={
          <Group gap="xs">
            <ApiCall calls={{ 'List keys': keysRequest }} />
            <Button
              leftSection={<Plus size={16} />}
              disabled={!may}
              title={may ? undefined : analystReason}
              onClick={() => setAdding(true)}
            >
              New key
            </Button>
          </Group>
        }
      >
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton h={160} />}
        {data?.length === 0 && <Text c="dimmed">There is no key yet.</Text>}
        {data && data.length > 0 && (
          <Rows label="API keys">
            {data.map((key) => (
              <KeyRow key={key.Id} apiKey={key} may={may} />
            ))}
          </Rows>
        )}
      </Section>
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
    </Box>
  );
}

function KeyRow({ apiKey, may }: { readonly apiKey: ApiKey; readonly may: boolean }) {
  const { Id, Label, UserId, CreatedAt, ExpiresAt, LastUsedAt } = apiKey;
  const { data: users } = useQuery(usersQuery);
  const owner = users?.find((user) => user.Id === UserId);
  const [isAsked, ask] = useState(false);
  return (
    <Row
      name={Label}
      more={
        <>
          of {owner ? nameOfUser(owner) : `user ${UserId}`}, added <Moment time={CreatedAt} form="day" />
          {ExpiresAt && (
            <>
              , ends <Moment time={ExpiresAt} form="day" />
            </>
          )}
        </>
      }
      when={
        LastUsedAt ? (
          <>
            last used <Moment time={LastUsedAt} />
          </>
        ) : (
          'never used'
        )
      }
    >
      <Button
        variant="default"
        size="xs"
        disabled={!may}
        title={may ? undefined : analystReason}
        aria-label={`Revoke ${Label}`}
        onClick={() => ask(true)}
      >
        Revoke…
      </Button>
      {isAsked && <Revocation id={Id} label={Label} onClose={() => ask(false)} />}
    </Row>
  );
}

interface RevocationProps {
  readonly id: number;
  readonly label: string;
  readonly onClose: () => void;
}

function Revocation({ id, label, onClose }: RevocationProps) {
  const revoke = useAccessChange('Key revoked');
  const request = { path: 'api/auth/apikey/revoke', body: { ApiKey: { Id: id } } } satisfies ApiRequest;
  return (
    <ActionModal
      title={`Revoke ${label}`}
      isOpen
      onClose={onClose}
      actionText="Revoke"
      request={request}
      isGrave
      isPending={revoke.isPending}
      error={errorBeside(revoke.error, [])}
      onSubmit={() => revoke.mutate(request, { onSuccess: onClose })}
    >
      <Text size="sm">Programs that send it are refused from now on. A revoked key never works again.</Text>
    </ActionModal>
  );
}
