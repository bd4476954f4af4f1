import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Moment } from '../parts/moment.tsx';
import { type OpenSession, sessionsQuery, useAccessChange } from './people.ts';
import { Row, Rows } from './rows.tsx';
import { agentText } from './user-agent.ts';

/** Where a user is logged in, newest first, each with a way to end it. */
export function SessionRows({ userId }: { readonly userId?: number }) {
  const { data, error } = useQuery(sessionsQuery(userId));
  const end = useAccessChange('Session ended');
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={160} />;
  if (data.length === 0) return <Text c="dimmed">There is no session.</Text>;
  const sorted = data.toSorted((one, other) => other.IsCurrent - one.IsCurrent || other.Id - one.Id);
  return (
    <>
      {end.error && <ErrorNote error={end.error} />}
      <Rows label="Sessions">
        {sorted.map((session) => (
          <SessionRow
            key={session.Id}
            session={session}
            isEnding={end.isPending && end.variables.body?.Id === session.Id}
            onEnd={end.mutate}
          />
        ))}
      </Rows>
    </>
  );
}

interface RowProps {
  readonly session: OpenSession;
  readonly isEnding: boolean;
  readonly onEnd: (request: ApiRequest) => void;
}

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const { Created, LastUsed, Address, UserAgent, IsCurrent } = session;
  const name = agentText(UserAgent);
  const request = { path: 'api/auth/session/end', body: { Id: session.Id } } satisfies ApiRequest;
  return (
    <Row
      name={
        <Group gap="xs" title={UserAgent}>
          {name}
          {IsCurrent === 1 && <Badge variant="light">this session</Badge>}
        </Group>
      }
      more={Address && `from ${Address}`}
      when={
        <>
          begun <Moment time={Created} />
          {LastUsed && (
            <>
              <br />
              used <Moment time={LastUsed} />
            </>
          )}
        </>
      }
    >
      <Button
        variant="default"
        size="xs"
        loading={isEnding}
        disabled={IsCurrent === 1}
        title={IsCurrent === 1 ? 'Log out ends this one' : undefined}
        aria-label={`End the session of ${name}`}
        onClick={() => onEnd(request)}
      >
        End
      </Button>
      <ApiCall calls={{ [`End the session of ${name}`]: request }} />
    </Row>
  );
}
