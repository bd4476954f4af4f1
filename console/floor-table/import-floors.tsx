import { Alert, Button, List, Modal, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { conditionsKey } from '../../src/management/floor-files/conditions.ts';
import type { FloorsFile } from '../../src/management/floor-files/read-rule.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { badLinesText } from '../objects/lines/leave-out-button.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { countText } from '../parts/value-text.ts';
import { objectBounds } from '../sheets/sheet.ts';
import { columnTitle, conditionsAt, conditionsIn, type FloorTable, isAuto, rowTitle } from './floor-table.ts';
import { type PlannedFloors, type Planning, planFloors, type WantedFloor } from './plan-floors.ts';
import { readFloorFile } from './read-floor-file.ts';

interface ImportProps {
  readonly planning: Planning;
  readonly table: FloorTable;
  readonly onClose: () => void;
}

/** The floors that people have set in the table and a file does not have, as such that are to be none. */
function missingIn({ rules }: FloorsFile, { rows, columns, cellAt }: FloorTable): readonly WantedFloor[] {
  const read = new Set(rules.map(({ conditions }) => conditionsKey(conditions)));
  return rows.flatMap((row) =>
    columns.flatMap((column): WantedFloor[] => {
      const { own } = cellAt(row, column);
      if (!own || isAuto(own) || read.has(conditionsKey(conditionsIn(own)))) return [];
      const place = `${rowTitle(row)}, ${columnTitle(column)}`;
      return [{ place, conditions: conditionsAt(row, column), added: { Name: '' } }];
    }),
  );
}

interface ReadFile extends FloorsFile {
  readonly name: string;
}

/** Takes a file of floors, says which of its lines are bad, shows what the others would change, and changes that as one. */
export function ImportFloors({ planning, table, onClose }: ImportProps) {
  const [isMissingRemoved, setMissingRemoved] = useState(false);
  const [plan, setPlan] = useState<PlannedFloors & { readonly name: string }>();
  const reading = useMutation({
    mutationFn: async (file: File): Promise<ReadFile> => ({
      name: file.name,
      ...(await readFloorFile(file)),
    }),
    onSuccess: (file) => file.faults.length === 0 && make(file),
  });
  const make = (file: ReadFile) => {
    const wanted = [...file.rules, ...(isMissingRemoved ? missingIn(file, table) : [])];
    setPlan({ name: file.name, ...planFloors(wanted, planning) });
  };
  if (plan && plan.faults.length === 0 && plan.changes.length > 0)
    return <PlannedImport plan={plan} onClose={onClose} />;
  const file = reading.data;
  const faults = plan?.faults ?? file?.faults ?? [];
  return (
    <Modal opened onClose={onClose} title="Import floors" size="xl">
      <Stack gap="md">
        <Text size="sm">
          Choose a spreadsheet with the columns country, device and floor, one with a row for each country and
          a column for each device, as <em>Export CSV</em> writes it, or a floors file of Prebid. You see each
          difference before anything is changed.
        </Text>
        <Switch
          label="Deactivate floors of this table that are not in the file"
          checked={isMissingRemoved}
          onChange={({ currentTarget }) => {
            setMissingRemoved(currentTarget.checked);
            setPlan(undefined);
            reading.reset();
          }}
        />
        <DropArea
          accept=".csv,.xlsx,.json,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          isDisabled={reading.isPending}
          onFile={(chosen) => {
            setPlan(undefined);
            reading.mutate(chosen);
          }}
        >
          or drop one here: XLSX, CSV or JSON, up to {countText(objectBounds.rowsMax)} rows
        </DropArea>
        {reading.isPending && <Skeleton h={60} aria-label="Reading the file" />}
        {reading.error && <ErrorNote error={reading.error} />}
        {file && faults.length > 0 && (
          <BadLines name={file.name} faults={faults}>
            {!plan && file.rules.length > 0 && (
              <Button mt="sm" size="xs" variant="default" onClick={() => make(file)}>
                Leave out {badLinesText(faults.length)} and go on with the rest
              </Button>
            )}
          </BadLines>
        )}
        {plan && plan.faults.length === 0 && (
          <Alert color="blue" variant="light" role="status" title="No differences">
            All floors of {plan.name} are as the rules have them.
          </Alert>
        )}
      </Stack>
    </Modal>
  );
}

const faultsShownMax = 100;

interface BadProps {
  readonly name: string;
  readonly faults: FloorsFile['faults'];
  readonly children: React.ReactNode;
}

function BadLines({ name, faults, children }: BadProps) {
  const more = faults.length - faultsShownMax;
  return (
    <Alert color="red" variant="light" role="alert" title={`${name} has mistakes. Nothing was changed.`}>
      <List size="sm" listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
        {faults.slice(0, faultsShownMax).map(({ place, text }) => (
          <List.Item key={`${place} ${text}`}>
            {place && <b>{place}: </b>}
            {text}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">And {countText(more)} more.</Text>}
      {children}
    </Alert>
  );
}

function PlannedImport({
  plan,
  onClose,
}: {
  readonly plan: PlannedFloors & { readonly name: string };
  readonly onClose: () => void;
}) {
  const [sent] = useState(() => plan.changes.map(({ change }) => change));
  const [places] = useState(() => new Map(plan.changes.map(({ change, place }) => [change, place])));
  return (
    <BulkDialog
      changes={sent}
      source={{
        note: <Text size="sm">{plan.name}</Text>,
        placeOf: (change) => places.get(change) ?? '',
        remedy: 'Correct the file and import it again; nothing was changed.',
      }}
      onClose={onClose}
    />
  );
}
