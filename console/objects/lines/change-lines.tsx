import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import { objectQuery } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import type { ShownField } from '../../field-tables.ts';
import {
  blobOf,
  type Content,
  type ContentFailure,
  failureBeside,
  type useContent,
} from '../../parts/content.ts';
import { asError } from '../../parts/faults.ts';
import { countText } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';
import { askLines, textSource } from './ask-lines.ts';
import { badLinesText } from './leave-out-button.tsx';
import { lineCountOf, linesText } from './line-count.ts';
import { LinesInput } from './lines-input.tsx';
import classes from './lines-tab.module.css';
import { linesRequest } from './send-lines.ts';
import { LinesRefusal, SendingProgress } from './sending-progress.tsx';
import { useSend } from './use-send.ts';

/** How lines are sent, in an order for people. */
const modes = [
  { value: 'add', label: 'Add lines' },
  { value: 'replace', label: 'Replace all' },
] as const;
/** Whether lines are added, or put in the place of all. */
export type Mode = (typeof modes)[number]['value'];

const changedMeanwhile = 412;

/** Sends lines, and shows what the list then has. */
function useChange(mode: Mode, content: Content, onDone: () => void) {
  const { entity, object, tag } = useShownObject();
  const client = useQueryClient();
  const [failure, setFailure] = useState<ContentFailure>();
  const [saved, setSaved] = useState<{ readonly before: number; readonly left: number }>();
  const [isRead, setRead] = useState(false);
  const sender = useSend(entity);
  const requestOf = (lines: Blob) => linesRequest(entity, 'update', { Id: object.Id }, lines, tag);
  const change = async (lines: Blob, left = 0) => {
    setFailure(undefined);
    setSaved(undefined);
    setRead(true);
    try {
      // New lines stand first, so that the server's numbers of bad lines are those of what was sent.
      const of = textSource(entity, object.Id, tag);
      const whole = mode === 'add' ? await askLines<'text'>({ kind: 'text', of, first: lines }) : lines;
      setRead(false);
      const changed = await sender.send(requestOf(whole), whole, crypto.randomUUID());
      if (!changed) return;
      setSaved({ before: lineCountOf(entity, object), left });
      announce(`Saved: ${linesText(lineCountOf(entity, changed))}`);
      onDone();
    } catch (error) {
      setFailure({ error: asError(error), of: content });
      if (!(error instanceof CallError && error.status === changedMeanwhile)) return;
    } finally {
      setRead(false);
    }
    await client.invalidateQueries({ queryKey: objectQuery(entity, object.Id).queryKey });
    void client.invalidateQueries({ queryKey: ['objects', entity.key] });
    void client.invalidateQueries({ queryKey: ['history'] });
  };
  return { change, requestOf, failure: failureBeside(failure, content), saved, isRead, ...sender };
}

interface ChangeProps {
  readonly field: ShownField;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly lines: ReturnType<typeof useContent>;
}

/** Adds lines to a list, or puts others in the place of all of them. */
export function ChangeLines({ field, mode, onMode, lines }: ChangeProps) {
  const { entity, object } = useShownObject();
  const may = mayChange(useAccount());
  const { content, set, clear } = lines;
  const { change, requestOf, failure, saved, isRead, share, cancel } = useChange(mode, content, clear);
  const blob = blobOf(content);
  const isBusy = isRead || share !== undefined;
  const count = lineCountOf(entity, object);
  return (
    <Stack gap="md" component="section" className={classes.change} aria-labelledby="change-lines">
      <Title order={2} size="h4" id="change-lines">
        Change the lines
      </Title>
      {!may && (
        <Text size="sm" c="dimmed">
          {analystReason}
        </Text>
      )}
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="How"
        disabled={!may || isBusy}
        data={modes.map((one) => ({ ...one }))}
        value={mode}
        onChange={(value) => onMode(value as Mode)}
      />
      <LinesInput
        entity={entity}
        field={field}
        lines={content}
        isDisabled={!may || isBusy}
        reason={may ? undefined : analystReason}
        onChange={set}
      />
      {share !== undefined && <SendingProgress share={share} onCancel={cancel} />}
      {failure && (
        <LinesRefusal
          error={failure}
          lines={blob}
          list={entity.key}
          onLeaveOut={({ rest, left }) => void change(rest, left)}
        />
      )}
      {saved && !blob && (
        <Text size="sm" c="teal">
          Saved: {linesText(saved.before)} before, {countText(count)} now.
          {saved.left > 0 && ` ${badLinesText(saved.left)} left out.`}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <ApiCall
          calls={{
            'Replace all lines': requestOf(blob ?? new Blob()),
            'Fetch the lines': { path: `api/${entity.path}/get`, query: { Id: object.Id } },
          }}
        />
        <Button
          onClick={() => blob && void change(blob)}
          loading={isBusy}
          disabled={!may || !blob}
          title={may ? undefined : analystReason}
        >
          {mode === 'add' ? 'Add' : `Replace ${linesText(count)}`}
        </Button>
      </Group>
    </Stack>
  );
}
