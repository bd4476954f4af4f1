import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { batchRequest, type ManyChange } from '../api/batch.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { countText } from '../parts/value-text.ts';
import { DifferenceRows, RefusedRows } from './bulk-rows.tsx';
import type { ChangeSource } from './change-source.ts';
import { inverseOf } from './inverse.ts';
import { changesPerLot } from './run-lots.ts';
import { useBulk } from './use-bulk.ts';

interface DialogProps {
  readonly changes: readonly ManyChange[];
  /** Where given, nothing is changed as long as a change is refused when it is tried. */
  readonly source?: ChangeSource | undefined;
  /** `isChanged`: something was changed meanwhile. */
  readonly onClose: (isChanged: boolean) => void;
}

/** Changes of many objects: tried first, shown, then made as one bulk change, and undone as one. */
export function BulkDialog({ changes, source, onClose }: DialogProps) {
  const [runs, setRuns] = useState([changes]);
  const last = runs.at(-1) ?? [];
  return (
    <BulkRun
      key={runs.length}
      changes={last}
      source={runs.length > 1 ? undefined : source}
      isAtOnce={runs.length > 1}
      onUndo={(inverse) => setRuns([...runs, inverse])}
      onClose={(isChanged) => onClose(isChanged || runs.length > 1)}
    />
  );
}

interface RunProps extends DialogProps {
  readonly isAtOnce: boolean;
  readonly onUndo: (inverse: readonly ManyChange[]) => void;
}

function BulkRun({ changes, source, isAtOnce, onUndo, onClose }: RunProps) {
  const bulk = useBulk(changes, isAtOnce);
  const { tried, made, wanted, isDone } = bulk;
  const { start, stop } = bulk;
  const error = made.error ?? tried.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isAtOnce) start();
  }, []);
  const rows = made.results.flatMap(({ row }) => row ?? []);
  const isBegun = made.results.length > 0;
  const close = () => {
    stop();
    onClose(isBegun);
  };
  return (
    <Modal opened onClose={close} title={titleOf(bulk)} size="xl">
      <Stack>
        {error && <ErrorNote error={error} />}
        {source?.note}
        <RunProgress bulk={bulk} total={isBegun || made.isPending ? wanted.length : changes.length} />
        {!tried.isPending && !made.isPending && bulk.differences.length === 0 && !tried.error && (
          <Text c="dimmed">Nothing would change.</Text>
        )}
        <RefusedRows results={bulk.refused} source={source} isDone={isBegun} />
        <DifferenceRows results={bulk.differences} />
        <Group justify="flex-end">
          <BulkCalls bulk={bulk} isDone={isDone} />
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <BulkButtons bulk={bulk} isRefused={source !== undefined && !isBegun && bulk.refused.length > 0} />
          {isBegun && !made.isPending && rows.length > 0 && (
            <Button variant="default" onClick={() => onUndo(inverseOf(rows))}>
              Undo all
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

type Bulk = ReturnType<typeof useBulk>;

const changedCount = ({ made }: Bulk) => made.results.filter(({ row }) => row).length;

function titleOf(bulk: Bulk): string {
  const { made, isDone } = bulk;
  if (isDone) return `${countText(changedCount(bulk))} changed`;
  if (made.isPending) return 'Changing';
  return made.results.length > 0 ? 'Stopped' : 'What would change';
}

function RunProgress({ bulk, total }: { readonly bulk: Bulk; readonly total: number }) {
  const { tried, made, isDone } = bulk;
  const { results, isPending } = made.results.length > 0 || made.isPending ? made : tried;
  if (isDone || (!isPending && made.results.length === 0)) return null;
  const text = `${countText(results.length)} of ${countText(total)} ${tried.isPending ? 'checked' : 'changed'}`;
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {text}
      </Text>
      <Progress value={(100 * results.length) / Math.max(1, total)} aria-label={text} />
    </Stack>
  );
}

interface ButtonsProps {
  readonly bulk: Bulk;
  /** Whether nothing may be changed. */
  readonly isRefused: boolean;
}

function BulkButtons({ bulk, isRefused }: ButtonsProps) {
  const { tried, made, wanted, isDone, start, stop } = bulk;
  if (isDone) return null;
  if (made.isPending && wanted.length > changesPerLot) {
    return (
      <Button variant="default" onClick={stop}>
        Stop
      </Button>
    );
  }
  const isBegun = made.results.length > 0;
  return (
    <Button
      loading={tried.isPending || made.isPending}
      disabled={wanted.length === 0 || tried.error !== null || isRefused}
      onClick={start}
    >
      {isBegun ? 'Continue' : `Change ${countText(wanted.length)}`}
    </Button>
  );
}

/** The first request of the bulk change, or of its undoing; further ones continue it. */
function BulkCalls({ bulk, isDone }: { readonly bulk: Bulk; readonly isDone: boolean }) {
  const { made, wanted, id } = bulk;
  const inverse = inverseOf(made.results.flatMap(({ row }) => row ?? [])).slice(0, changesPerLot);
  return (
    <ApiCall
      calls={
        isDone
          ? { 'Undo all': batchRequest(inverse, { id: `${id}-undo` }) }
          : { Change: batchRequest(wanted.slice(0, changesPerLot), { id }) }
      }
    />
  );
}
