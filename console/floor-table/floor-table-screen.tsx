import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, FileUp, List } from 'lucide-react';
import { useMemo, useState } from 'react';
import { readFloor } from '../../src/management/floor-files/read-rule.ts';
import { addedFor } from '../../src/management/floor-files/read-table.ts';
import { byteOrderMark, csvFileName, csvLines } from '../../src/reference/csv.ts';
import type { Stored } from '../api/objects.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import type { ChangeSource } from '../bulk/change-source.ts';
import type { ShownEntity } from '../field-tables.ts';
import { useDraft } from '../objects/settings/draft.ts';
import { SaveBar } from '../objects/settings/save-bar.tsx';
import { csvFormFor } from '../parts/csv-form.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { pluralOf } from '../parts/object-name.ts';
import { ObjectSelect } from '../parts/object-select.tsx';
import { saveFile } from '../parts/save-file.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { AddLine } from './add-lines.tsx';
import { cellKey, FloorGrid, isReadable } from './floor-grid.tsx';
import {
  columnTitle,
  conditionsAt,
  type FloorTable,
  floorRows,
  floorTable,
  floorText,
  type RuleFields,
  rowTitle,
  type Scope,
} from './floor-table.ts';
import { ImportFloors } from './import-floors.tsx';
import { OtherRules } from './other-rules.tsx';
import { type PlannedFloors, planFloors, type WantedFloor } from './plan-floors.ts';
import { useFloorTable } from './use-floor-table.ts';

interface ScreenProps {
  readonly entity: ShownEntity;
  /** `team`, or an object as `VastTag:17`. */
  readonly shown: string;
}

/** The floor rules of a team, publisher or supply object that are by country and device, as a table to type in. */
export function FloorTableScreen({ entity, shown }: ScreenProps) {
  const { fields, rules, scope, error } = useFloorTable(entity, shown);
  const navigate = useNavigate();
  return (
    <Stack gap="md" pb={90}>
      {error && <ErrorNote error={error} />}
      {rules && scope ? (
        <Floors key={scope.key} entity={entity} fields={fields} rules={rules} scope={scope}>
          <ObjectSelect
            label="Floors of"
            placeholder="The whole team"
            kinds={fields.owners.map(({ references }) => references)}
            value={scope.owner && scope.key}
            onChange={(key) => void navigate({ to: '.', search: { table: key ?? 'team' } })}
          />
        </Floors>
      ) : (
        !error && <Skeleton h={300} aria-label="Loading floors" />
      )}
    </Stack>
  );
}

interface FloorsProps {
  readonly entity: ShownEntity;
  readonly fields: RuleFields;
  readonly rules: readonly Stored[];
  readonly scope: Scope;
  readonly children: React.ReactNode;
}

const halves = (key: string) => {
  const [row = '*', column = '*'] = key.split('|');
  return { row, column };
};

/** What a cell is to be, as it was typed. */
function wantedAt(key: string, text: string): WantedFloor {
  const { row, column } = halves(key);
  const conditions = conditionsAt(row, column);
  const settings = text.trim() === '' ? undefined : readFloor(text, 'Point');
  return {
    place: `${rowTitle(row)}, ${columnTitle(column)}`,
    conditions,
    settings,
    added: addedFor(conditions),
  };
}

const storedTexts = ({ rows, columns, cellAt }: FloorTable): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows.flatMap((row) =>
      columns.map((column) => {
        const { own } = cellAt(row, column);
        return [cellKey(row, column), own ? floorText(own) : ''];
      }),
    ),
  );

/** The table with what was typed, which this browser keeps until it is applied. */
function useTyped({ fields, rules, scope }: Pick<FloorsProps, 'fields' | 'rules' | 'scope'>) {
  const [added, setAdded] = useState<{
    readonly rows: readonly string[];
    readonly columns: readonly string[];
  }>({
    rows: [],
    columns: [],
  });
  const bare = useMemo(() => floorTable(rules, scope, fields, added), [rules, scope, fields, added]);
  const stored = useMemo(() => storedTexts(bare), [bare]);
  const draft = useDraft(`floors-${scope.key}`, stored);
  const table = useMemo(() => {
    const typed = Object.keys(draft.changed).map(halves);
    return floorTable(rules, scope, fields, {
      rows: [...added.rows, ...typed.map(({ row }) => row)],
      columns: [...added.columns, ...typed.map(({ column }) => column)],
    });
  }, [rules, scope, fields, added, draft.changed]);
  return { table, draft, added, setAdded };
}

function saveTable(table: FloorTable, scope: Scope): void {
  const text = floorRows(table).map(csvLines(csvFormFor())).join('');
  const today = new Date().toISOString().slice(0, 10);
  saveFile(new Blob([byteOrderMark, text], { type: 'text/csv' }), csvFileName('floors', scope.name, today));
}

const sourceOf = ({ changes }: PlannedFloors): ChangeSource => {
  const places = new Map(changes.map(({ place, change }) => [change, place]));
  return {
    note: null,
    placeOf: (change) => places.get(change) ?? '',
    remedy: 'Correct these floors and try again; nothing was changed.',
  };
};

function Floors({ entity, fields, rules, scope, children }: FloorsProps) {
  const may = mayChange(useAccount());
  const { table, draft, added, setAdded } = useTyped({ fields, rules, scope });
  const [dialog, setDialog] = useState<'import' | PlannedFloors>();
  const [refused, setRefused] = useState<PlannedFloors['faults']>([]);
  const typed = Object.entries(draft.changed).map(([key, text]) => [key, String(text)] as const);
  const unreadable = typed.filter(([, text]) => !isReadable(text)).length;
  const planning = { rules, scope, fields, entity: entity.key };
  const look = () => {
    const plan = planFloors(
      typed.map(([key, text]) => wantedAt(key, text)),
      planning,
    );
    setRefused(plan.faults);
    if (plan.faults.length === 0) setDialog(plan);
  };
  return (
    <>
      <Group justify="space-between">
        <Title order={1} size="h3">
          {pluralOf(entity)}
        </Title>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<List size={16} />}
            renderRoot={(props) => <Link to="/console/$entity" params={{ entity: entity.key }} {...props} />}
          >
            List
          </Button>
          <Button
            variant="default"
            leftSection={<Download size={16} />}
            onClick={() => saveTable(table, scope)}
          >
            Export CSV
          </Button>
          <Button
            variant="default"
            leftSection={<FileUp size={16} />}
            disabled={!may}
            title={may ? undefined : analystReason}
            onClick={() => setDialog('import')}
          >
            Import
          </Button>
        </Group>
      </Group>
      <Group gap="md" align="flex-end">
        {children}
        <AddLine field="Countries" onAdd={(row) => setAdded({ ...added, rows: [...added.rows, row] })} />
        <AddLine
          field="DeviceTypes"
          onAdd={(column) => setAdded({ ...added, columns: [...added.columns, column] })}
        />
      </Group>
      <Text size="sm" c="dimmed" maw={760}>
        Floors in CPM, in USD unless a currency stands behind them. Type a floor to set it, or empty a cell to
        have none. A grey floor is that of a rule for more than the cell. You see all differences before
        anything is changed.
      </Text>
      <FloorGrid
        table={table}
        changed={draft.changed}
        isDisabled={!may}
        onType={draft.set}
        onDrop={draft.drop}
      />
      <OtherRules entity={entity} rules={table.others} />
      {refused.map(({ place, text }) => (
        <Text key={place + text} size="sm" c="red" role="alert">
          <b>{place}:</b> {text}
        </Text>
      ))}
      <SaveBar
        changes={typed.length}
        faults={unreadable}
        failure={undefined}
        isSaving={false}
        isBlocked={unreadable > 0}
        saveText="See the differences"
        onSave={look}
        onDiscard={draft.clear}
      />
      {dialog === 'import' && (
        <ImportFloors planning={planning} table={table} onClose={() => setDialog(undefined)} />
      )}
      {dialog && dialog !== 'import' && (
        <BulkDialog
          changes={dialog.changes.map(({ change }) => change)}
          source={sourceOf(dialog)}
          onClose={(isChanged) => {
            setDialog(undefined);
            if (isChanged) draft.clear();
          }}
        />
      )}
    </>
  );
}
