import { Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { batchRequest, changeMany, type ManyChange, type ObjectChange } from '../api/batch.ts';
import type { Stored } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import type { ShownEntity } from '../field-tables.ts';
import { fieldOf, fieldsOf } from '../fields.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { FieldValue } from '../parts/field-value.tsx';
import { isActive, objectName } from '../parts/object-name.ts';
import { titleOf } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { announce } from '../shell/announcements.ts';
import classes from './bulk-bar.module.css';

const loadInput = () => import('../objects/settings/field-input.tsx');
const FieldInput = lazy(async () => ({ default: (await loadInput()).FieldInput }));

interface BarProps {
  readonly entity: ShownEntity;
  readonly objects: readonly Stored[];
  readonly onDone: () => void;
}

/** What is to be done with many objects: tried first, shown, then done as one, and undone as one. */
export function BulkBar({ entity, objects, onDone }: BarProps) {
  const may = mayChange(useAccount());
  const [changes, setChanges] = useState<readonly ManyChange[]>();
  const [isChoosing, setChoosing] = useState(false);
  const reason = may ? undefined : analystReason;
  const setStatus = (Operation: 'activate' | 'deactivate') => {
    const affected = objects.filter((object) => isActive(object) !== (Operation === 'activate'));
    setChanges(affected.map(({ Id }) => ({ Entity: entity.key, Operation, Object: { Id } })));
  };
  return (
    <Group gap="xs" role="region" aria-label="Selected objects">
      <Text size="sm" fw={600}>
        {objects.length} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onClick={() => setStatus('activate')}
      >
        Activate…
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onClick={() => setStatus('deactivate')}
      >
        Deactivate…
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!may}
        title={reason}
        onMouseEnter={() => void loadInput()}
        onFocus={() => void loadInput()}
        onClick={() => setChoosing(true)}
      >
        Change a field…
      </Button>
      <Button size="xs" variant="subtle" onClick={onDone}>
        Select none
      </Button>
      {isChoosing && (
        <ChooseField
          entity={entity}
          objects={objects}
          onClose={() => setChoosing(false)}
          onChosen={(chosen) => {
            setChoosing(false);
            setChanges(chosen);
          }}
        />
      )}
      {changes && (
        <Preview
          entity={entity}
          objects={objects}
          changes={changes}
          onClose={() => setChanges(undefined)}
          onDone={onDone}
        />
      )}
    </Group>
  );
}

interface ChooseProps extends Omit<BarProps, 'onDone'> {
  readonly onClose: () => void;
  readonly onChosen: (changes: readonly ManyChange[]) => void;
}

function ChooseField({ entity, objects, onClose, onChosen }: ChooseProps) {
  const [name, setName] = useState<string | null>(null);
  const [value, setValue] = useState<unknown>();
  const field = name === null ? undefined : fieldOf(entity, name);
  const names = fieldsOf(entity)
    .filter(({ presence, place }) => presence !== 'derived' && place !== 'listText')
    .map((one) => ({ value: one.name, label: titleOf(one.name) }));
  return (
    <Modal opened onClose={onClose} title={`Change a field of ${objects.length}`} size="lg">
      <Stack>
        <Select
          label="Field"
          data={names}
          searchable
          value={name}
          onChange={(chosen) => {
            setName(chosen);
            setValue(chosen === null ? undefined : objects[0]?.[chosen]);
          }}
        />
        {field && (
          <Suspense fallback={<Skeleton h={60} />}>
            <FieldInput
              field={field}
              value={value}
              onChange={setValue}
              error={undefined}
              isDisabled={false}
              isRequired={false}
            />
          </Suspense>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!field || value === undefined}
            onClick={() =>
              onChosen(
                objects.map(({ Id }) => ({
                  Entity: entity.key,
                  Operation: 'update' as const,
                  Object: { Id, [String(name)]: value },
                })),
              )
            }
          >
            See the differences
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface PreviewProps extends BarProps {
  readonly changes: readonly ManyChange[];
  readonly onClose: () => void;
}

const undoing = (done: readonly ObjectChange[]): readonly ManyChange[] =>
  done
    .filter(({ Before }) => Object.keys(Before).length > 0)
    .map(({ Entity, Id, Operation, Before }) => {
      if (Operation === 'update') return { Entity, Operation, Object: { Id, ...Before } };
      return { Entity, Operation: Operation === 'activate' ? 'deactivate' : 'activate', Object: { Id } };
    });

function Preview({ entity, objects, changes, onClose, onDone }: PreviewProps) {
  const client = useQueryClient();
  const tried = useQuery({
    queryKey: ['tried', changes],
    queryFn: () => changeMany(changes, true),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const made = useMutation({
    mutationFn: (wanted: readonly ManyChange[]) => changeMany(wanted, false),
    async onSuccess(rows) {
      announce(`${rows.length} changed`);
      await client.invalidateQueries({ queryKey: ['objects'] });
      await client.invalidateQueries({ queryKey: ['object'] });
    },
  });
  const names = useMemo(() => new Map(objects.map((object) => [object.Id, objectName(object)])), [objects]);
  const error = made.error ?? tried.error;
  const rows = made.data ?? tried.data;
  const close = () => {
    onClose();
    if (made.data) onDone();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={made.data ? `${made.data.length} changed` : 'What would change'}
      size="xl"
    >
      <Stack>
        {error && <ErrorNote error={error} />}
        {rows?.length === 0 && <Text c="dimmed">Nothing: all of them already have this value.</Text>}
        <ul className={classes.rows}>
          {rows?.map((row) => (
            <Difference key={row.Id} entity={entity} name={names.get(row.Id) ?? `ID ${row.Id}`} row={row} />
          ))}
        </ul>
        <Group justify="flex-end">
          <ApiCall
            calls={
              made.data ? { 'Undo all': batchRequest(undoing(made.data)) } : { Change: batchRequest(changes) }
            }
          />
          <Button variant="default" onClick={close}>
            Close
          </Button>
          {!made.data && (
            <Button
              loading={made.isPending || tried.isPending}
              disabled={!rows?.length}
              onClick={() => made.mutate(changes)}
            >
              Change {rows?.length}
            </Button>
          )}
          {made.data && made.data.length > 0 && (
            <Button
              variant="default"
              loading={made.isPending}
              onClick={() => made.mutate(undoing(made.data))}
            >
              Undo all
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function Difference({
  entity,
  name,
  row,
}: {
  readonly entity: ShownEntity;
  readonly name: string;
  readonly row: ObjectChange;
}) {
  const fields = Object.keys({ ...row.Before, ...row.After }).filter((field) => field !== 'StatusString');
  const text = (field: string, value: unknown) => {
    const known = fieldOf(entity, field);
    return known && <FieldValue field={known} value={value} none="empty" />;
  };
  return (
    <li>
      <b>{name}</b>
      {fields.length === 0 && ' stays as it is'}
      {fields.map((field) => (
        <span key={field}>
          {' '}
          {titleOf(field)}: <del className={classes.old}>{text(field, row.Before[field])}</del> →{' '}
          {text(field, row.After[field])}
        </span>
      ))}
    </li>
  );
}
