import { Alert, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentObjects } from '../api/objects.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import type { ChangeSource } from '../bulk/change-source.ts';
import type { ShownEntity } from '../field-tables.ts';
import { fieldsOf, figuresOf } from '../fields.ts';
import { DropArea } from '../parts/drop-area.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { pluralOf } from '../parts/object-name.ts';
import { countText, titleOf } from '../parts/value-text.ts';
import { type PlannedChange, planChanges, readSheet, type SheetFault } from './plan.ts';
import { readFile } from './read-file.ts';
import { objectBounds } from './sheet.ts';

interface DialogProps {
  readonly entity: ShownEntity;
  readonly onClose: () => void;
}

interface Plan {
  readonly file: File;
  readonly rows: number;
  readonly skipped: readonly string[];
  readonly changes: readonly PlannedChange[];
  readonly faults: readonly SheetFault[];
}

/** Reads a file into the changes that make the objects as it has them. */
function usePlan(entity: ShownEntity) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(file: File): Promise<Plan> {
      const fields = fieldsOf(entity);
      const figures = figuresOf(entity).map(({ name }) => name);
      const sheet = await readFile(file);
      const plan = { file, rows: sheet.rows.length, skipped: [], changes: [] };
      const read = readSheet(sheet, { entity, fields, figures, titleOf });
      if ('faults' in read) return { ...plan, faults: read.faults };
      const { columns, rows, skipped } = read.sheet;
      const names = columns.map(({ field }) => field.name);
      const objects = await currentObjects(client, entity, [...rows.keys()], names);
      return { ...plan, skipped, ...(await planChanges(read.sheet, entity, objects)) };
    },
  });
}

/** Takes a file of objects, says what is wrong with it, or what it would change, and changes that as one. */
export function ImportDialog({ entity, onClose }: DialogProps) {
  const planning = usePlan(entity);
  const plan = planning.data;
  if (plan && plan.faults.length === 0 && plan.changes.length > 0)
    return <PlannedChanges plan={plan} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={`Import changes to ${pluralOf(entity)}`} size="xl">
      <Stack gap="md">
        <Text size="sm">
          Choose a file that was exported from this list and edited. Rows are matched by their Id, and you see
          each difference before anything is changed.
        </Text>
        <Text size="sm" c="dimmed">
          An empty cell empties its field, where the field may be empty. To leave a field as it is, delete its
          column; to leave an object as it is, delete its row.
        </Text>
        <DropArea
          accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          isDisabled={planning.isPending}
          onFile={(file) => planning.mutate(file)}
        >
          or drop one here: XLSX or CSV, up to {countText(objectBounds.rowsMax)} rows
        </DropArea>
        {planning.isPending && <Skeleton h={60} aria-label="Reading the file" />}
        {planning.error && <ErrorNote error={planning.error} />}
        {plan && <FoundNothing plan={plan} />}
      </Stack>
    </Modal>
  );
}

const faultsShownMax = 100;

const placeOf = ({ row, column }: SheetFault): string =>
  [row === undefined ? '' : `Row ${countText(row)}`, column ?? ''].filter(Boolean).join(', ');

/** What is wrong with a file, or that it has no difference. */
function FoundNothing({ plan: { file, rows, faults } }: { readonly plan: Plan }) {
  if (faults.length === 0) {
    return (
      <Alert color="blue" variant="light" role="status" title="No differences">
        {file.name}: {rowsText(rows)}, all as the objects are now.
      </Alert>
    );
  }
  const more = faults.length - faultsShownMax;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={`${file.name} cannot be imported yet. Nothing was changed.`}
    >
      <List size="sm" listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
        {faults.slice(0, faultsShownMax).map((fault) => (
          <List.Item key={`${fault.row} ${fault.column} ${fault.text}`}>
            {placeOf(fault) && <b>{placeOf(fault)}: </b>}
            {fault.text}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">And {countText(more)} more.</Text>}
    </Alert>
  );
}

const rowsText = (count: number): string => `${countText(count)} ${count === 1 ? 'row' : 'rows'}`;

function PlannedChanges({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }) {
  const { file, rows, skipped, changes } = plan;
  const [source] = useState((): ChangeSource => {
    const rowOf = new Map(changes.map(({ change, row }) => [change, row]));
    const isDifferent = new Set(changes.map(({ row }) => row));
    const ignored =
      skipped.length > 0 ? ` Not read, as the exchange counts them: ${skipped.join(', ')}.` : '';
    return {
      note: (
        <Text size="sm">
          {file.name}: {countText(isDifferent.size)} of {rowsText(rows)}{' '}
          {isDifferent.size === 1 ? 'differs' : 'differ'} from the objects as they are now.{ignored}
        </Text>
      ),
      placeOf: (change) => `Row ${countText(rowOf.get(change) ?? 0)}`,
      remedy: 'Correct the file and import it again; nothing was changed.',
    };
  });
  const [sent] = useState(() => changes.map(({ change }) => change));
  return <BulkDialog changes={sent} source={source} onClose={onClose} />;
}
