import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { CallError } from '../../api/call.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { percentText } from '../../parts/value-text.ts';
import { LeaveOutButton } from './leave-out-button.tsx';
import type { LeaveOutAnswer } from './leave-out-question.ts';

/** How far an upload has come, and a way to end it. */
export function SendingProgress({
  share,
  onCancel,
}: {
  readonly share: number;
  readonly onCancel: () => void;
}) {
  const isSent = share === 1;
  const said = isSent ? 'Sent. The server reads the lines…' : `Sending: ${percentText(share * 100)}`;
  return (
    <Stack gap="xs">
      <Progress.Root size="lg">
        <Progress.Section value={share * 100} animated={isSent} striped={isSent} aria-label="Upload" />
      </Progress.Root>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{said}</Text>
        <Button
          variant="default"
          size="compact-sm"
          disabled={isSent}
          title={isSent ? 'Everything is sent; it can no longer be stopped' : undefined}
          onClick={onCancel}
        >
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

const badLine = /(?:^|, )(line [\d,]+ is "(?:[^"\\]|\\.)*")/g;

/** What the server says of lines that it refused: the bad ones one below the other, then what to do. */
function BadLines({ message }: { readonly message: string }) {
  const lines = [...message.matchAll(badLine)].map(([, line = '']) => line);
  const rest = message.replaceAll(badLine, '').replace(/^[\s,;]+/, '');
  return (
    <Stack gap="xs">
      <List size="sm" listStyleType="none" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <Text size="sm">{rest}</Text>
    </Stack>
  );
}

interface RefusalProps {
  readonly error: Error;
  /** What was refused. */
  readonly lines: Blob | undefined;
  /** Key of the list's entity. */
  readonly list: string;
  readonly onLeaveOut: (good: LeaveOutAnswer) => void;
}

/** Why lines were not taken, as the server says it, and a way to send those that are good. */
export function LinesRefusal({ error, lines, list, onLeaveOut }: RefusalProps) {
  if (!(error instanceof CallError) || error.faults.length === 0) return <ErrorNote error={error} />;
  return (
    <Alert color="red" variant="light" role="alert" title="The lines were not accepted">
      {error.faults.map(({ Path, Code, Message }) =>
        Code === 'bad_line' ? (
          <BadLines key={Path} message={Message} />
        ) : (
          <Text key={Path + Message} size="sm">
            {Path} {Message}
          </Text>
        ),
      )}
      {lines && error.faults.some(({ Code }) => Code === 'bad_line') && (
        <LeaveOutButton lines={lines} list={list} onLeaveOut={onLeaveOut} />
      )}
    </Alert>
  );
}
